/*
 * cores: does each core more make a network faster?
 *
 * A chain of eight stateless processes between Source and Sink, all on the same N cores. Beside it
 * run a loop over the tokens by OpenMP and a pipeline of oneTBB. No form of it is faster than
 * Source or Sink alone, nor than all work divided by N; both are measured on one core by a loop.
 */
#include "bench/dalbench_cores.h"

#include "rt/base/alloc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STAGES = 8, REPETITIONS = 3 };
static const double LEAST_NS = 20; /* of a token, for its count: threads have to start, too */

/* ---- the chain ------------------------------------------------------------------------------- */

static const struct row {
    long bytes, steps;
    int quick, tiny;
} rows[] = {
    {64, 30, 1, 0},  {64, 300, 0, 1},    {64, 3000, 1, 0}, {64, 30000, 0, 0}, {1024, 0, 0, 0},
    {4096, 0, 0, 0}, {4096, 1000, 1, 0}, {16384, 0, 0, 0}, {65536, 0, 0, 0},  {1048576, 0, 0, 0},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]), PEERS = CORES_TBB + 1 };

/* A row of the table, while it is measured. */
struct chain {
    struct bench *bench;
    const struct row *row;
    char *peers[PEERS];                /* programs; NULL: there is none */
    double source_ns, sink_ns, all_ns; /* of a token, on one core */
    double best;                       /* us a token, of fewer cores; 0: none was measured */
};

static int build_peers(struct chain *chain)
{
    char options[CORES_TEXT];
    int status;
    snprintf(options, sizeof(options), "-DBYTES=%ld -DSTEPS=%ld -DSTAGES=%d", chain->row->bytes,
             chain->row->steps, STAGES);
    status = cores_peer_build(chain->bench, CORES_ALONE, "synthetic/cores_openmp.c", options,
                              &chain->peers[CORES_ALONE]);
    if (!status)
        status = cores_peer_build(chain->bench, CORES_OPENMP, "synthetic/cores_openmp.c", options,
                                  &chain->peers[CORES_OPENMP]);
    return status ? status
                  : cores_peer_build(chain->bench, CORES_TBB, "synthetic/cores_tbb.cpp", options,
                                     &chain->peers[CORES_TBB]);
}

/* Takes the least of what a run says. */
static int read_alone(struct chain *chain, const char *output)
{
    double tokens, ns, source, sink;
    if (sscanf(output, "tokens %lf ns %lf sum %*x source %lf sink %lf", &tokens, &ns, &source,
               &sink) != 4) {
        dal_log(DAL_LOG_ERROR, "%s says: %s", chain->peers[CORES_ALONE], output);
        return DAL_ERR_PROCESS;
    }
    chain->all_ns = fmin(chain->all_ns, ns / tokens);
    chain->source_ns = fmin(chain->source_ns, source);
    chain->sink_ns = fmin(chain->sink_ns, sink);
    return DAL_OK;
}

/* Measures the ends and all work on one core: first with few tokens, then with enough. */
static int measure_alone(struct chain *chain)
{
    struct cores_list one;
    char tokens[BENCH_NAME];
    const char *argv[] = {chain->peers[CORES_ALONE], "-p", tokens, "-p", one.numbers, NULL};
    struct bench_run run;
    long count = 16;
    int status = DAL_OK;
    cores_list_init(chain->bench, &one, 1);
    for (int k = 0; !status && k <= chain->bench->effort.repetitions; k++) {
        chain->all_ns = chain->source_ns = chain->sink_ns = k > 1 ? chain->all_ns : INFINITY;
        snprintf(tokens, sizeof(tokens), "tokens=%ld", count);
        status = bench_execute(chain->bench, NULL, argv, &run);
        if (status)
            break;
        status = read_alone(chain, run.output);
        dal_free(run.output);
        count = bench_tokens(chain->bench, 1, chain->all_ns, 1);
    }
    return status;
}

/* Returns the tokens of a run, at the limit; a peer may take longer for each. */
static long count_tokens(const struct chain *chain, int cores)
{
    int times = chain->bench->effort.fine ? 2 : 1;
    return times * bench_tokens(chain->bench, 1, fmax(chain->all_ns / cores, LEAST_NS), 1);
}

static int compare_chain(struct chain *chain, const struct cores_list *list, const char *program)
{
    static const char *const names[PEERS] = {[CORES_OPENMP] = "OpenMP", [CORES_TBB] = "oneTBB"};
    char source[BENCH_NAME], tokens[BENCH_NAME];
    struct bench_program ours = {
        .bench = chain->bench, .file = program, .arguments = {source}, .scale = 1e-3};
    struct bench_program theirs[PEERS];
    const struct bench_side mine = {.run = bench_run_program, .context = &ours};
    struct bench_side limits[PEERS];
    struct bench_record model = {
        .experiment = "cores", .param = (double)list->count, .unit = "us/token"};
    long count = count_tokens(chain, list->count);
    int limit_count = 0;
    snprintf(model.name, sizeof(model.name), "T=%ld W=%ld", chain->row->bytes, chain->row->steps);
    snprintf(source, sizeof(source), "Source.tokens=%ld", count);
    snprintf(tokens, sizeof(tokens), "tokens=%ld", count);
    for (int k = CORES_OPENMP; k < PEERS; k++) {
        theirs[k] = (struct bench_program){.bench = chain->bench,
                                           .file = chain->peers[k],
                                           .arguments = {tokens, list->numbers},
                                           .scale = 1e-3};
        if (theirs[k].file)
            limits[limit_count++] = (struct bench_side){
                .run = bench_run_program, .context = &theirs[k], .name = names[k]};
    }
    return bench_compare(chain->bench, &model, &mine, limits, limit_count);
}

static int measure_on(struct chain *chain, int cores)
{
    struct bench *bench = chain->bench;
    struct cores_list list;
    const struct bench_binding bindings[] = {{.process = "*", .processor = list.processors}, {0}};
    const struct bench_network network = {
        .specification = "synthetic/cores.xml",
        .program = "cores",
        .variables = {{"stages", STAGES},
                      {"tokenbytes", chain->row->bytes},
                      {"steps", chain->row->steps}},
        .bindings = bindings,
    };
    double end_us = 1e-3 * fmax(chain->source_ns, chain->sink_ns);
    char *program = NULL;
    int status;
    cores_list_init(bench, &list, cores);
    status = bench_synthesise(bench, &network, &program, NULL);
    if (!status)
        status = compare_chain(chain, &list, program);
    dal_free(program);
    if (!status)
        status = cores_add_limits(bench, fmax(end_us, 1e-3 * chain->all_ns / cores), &chain->best);
    return status;
}

static int measure_row(struct bench *bench, const struct row *row)
{
    struct chain chain = {.bench = bench, .row = row};
    int counts[CORES_COUNTS], count = cores_counts(bench, counts);
    int status = build_peers(&chain);
    if (!status)
        status = measure_alone(&chain);
    if (!status)
        bench_say("cores: T=%ld W=%ld: Source %.3g us, Sink %.3g us, all %.3g us a token",
                  row->bytes, row->steps, 1e-3 * chain.source_ns, 1e-3 * chain.sink_ns,
                  1e-3 * chain.all_ns);
    for (int i = 0; !status && i < count; i++)
        status = measure_on(&chain, counts[i]);
    for (int k = 0; k < PEERS; k++)
        dal_free(chain.peers[k]);
    return status;
}

static int measure_chain(struct bench *bench)
{
    int status = DAL_OK;
    for (size_t i = 0; !status && i < ROWS; i++)
        if (bench_is_tiny(bench) ? rows[i].tiny : bench->effort.fine || rows[i].quick)
            status = measure_row(bench, &rows[i]);
    return status;
}

/* ---- the table ------------------------------------------------------------------------------- */

static const char *const columns[] = {CORES_LIMIT, CORES_FEWER, "OpenMP", "oneTBB"};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static int is_same_row(const struct bench_record *a, const struct bench_record *b)
{
    return strcmp(a->experiment, b->experiment) == 0 && strcmp(a->name, b->name) == 0 &&
           a->param == b->param;
}

/* Prints a row: the figure, and its ratio to each column's limit. */
static void print_row(const struct bench *bench, const struct bench_record *row)
{
    printf("%-22s  %5g  %10.4g  %-8s", row->name, row->param, row->value, row->unit);
    for (size_t c = 0; c < COLUMNS; c++) {
        double ratio = NAN;
        for (size_t i = 0; i < bench->record_count; i++) {
            const struct bench_record *r = &bench->records[i];
            if (is_same_row(r, row) && r->against && strcmp(r->against, columns[c]) == 0)
                ratio = r->ratio;
        }
        if (isnan(ratio))
            printf("  %11s", "-");
        else
            printf("  %11.3f", ratio);
    }
    printf("\n");
}

/* Prints each row of the experiment once; a ratio above 1 is better. */
static void print_table(const struct bench *bench)
{
    const struct bench_record *last = NULL, *r;
    printf("%-22s  %5s  %10s  %-8s", "row", "cores", "value", "unit");
    for (size_t c = 0; c < COLUMNS; c++)
        printf("  %11s", columns[c]);
    printf("\n");
    for (size_t i = 0; i < bench->record_count; i++) {
        r = &bench->records[i];
        if (strcmp(r->experiment, "cores") != 0 || (last && is_same_row(last, r)))
            continue;
        print_row(bench, r);
        last = r;
    }
    printf("\n");
}

int bench_cores(struct bench *bench)
{
    int status, before = bench->effort.repetitions;
    bench->effort.repetitions = before < REPETITIONS ? before : REPETITIONS;
    cores_peers_tell(bench);
    status = measure_chain(bench);
    if (!status)
        status = cores_columns(bench);
    if (!status)
        status = cores_drawn(bench);
    print_table(bench);
    bench->effort.repetitions = before;
    return status;
}
