/*
 * scale: chains of 10 to 10,000 processes on one core. How long do synthesis and start take, what
 * does a firing cost, how much memory does the program need?
 *
 * The limit of a firing is a loop that calls a function for each process once a token. The others
 * have no limit.
 */
#include "bench/dalbench.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"

#include "pass.h"

#include <stdio.h>
#include <string.h>

enum { TOKEN_BYTES = 4, CAPACITY = 4096 };

static const struct bench_binding one_core[] = {{.process = "*", .processor = "core_0"}, {0}};

/* ---- by hand --------------------------------------------------------------------------------- */

struct by_hand {
    const struct bench *bench;
    long processes, tokens;
    unsigned char *channels; /* a token for each */
};

static __attribute__((noinline)) void call_identity(unsigned char *out, const unsigned char *in)
{
    pass_identity(out, in, TOKEN_BYTES);
}

/* Runs the loop. Its value is ns a firing. */
static int run_loop(void *context, struct bench_result *result)
{
    struct by_hand *hand = context;
    unsigned char *c = hand->channels;
    int64_t start = dal_now_ns();
    long k;
    result->sum = 0;
    result->has_sum = 1;
    for (long n = 0; n < hand->tokens; n++) {
        pass_source(c, TOKEN_BYTES, (uint32_t)n);
        for (k = 0; k < hand->processes - 2; k++)
            call_identity(c + (k + 1) * TOKEN_BYTES, c + k * TOKEN_BYTES);
        result->sum += pass_sink(c + k * TOKEN_BYTES, TOKEN_BYTES);
    }
    result->value = (double)(dal_now_ns() - start) / (double)hand->tokens / (double)hand->processes;
    return DAL_OK;
}

/* ---- what is measured ------------------------------------------------------------------------ */

static int add_figure(struct bench *bench, const char *name, long processes, const char *unit,
                      double value)
{
    struct bench_record record = {.experiment = "scale",
                                  .param = (double)processes,
                                  .unit = unit,
                                  .value = value,
                                  .value_min = value,
                                  .value_max = value};
    snprintf(record.name, sizeof(record.name), "%s", name);
    return bench_add(bench, &record);
}

static int synthesise(struct bench *bench, long processes, int emit_only, char **program,
                      double *seconds)
{
    struct bench_network network = {
        .specification = "synthetic/firing.xml",
        .program = "firing",
        .variables = {{"stages", processes - 2},
                      {"tokenbytes", TOKEN_BYTES},
                      {"capacity", CAPACITY}},
        .bindings = one_core,
        .emit_only = emit_only,
    };
    struct bench_run run = {0};
    int status = bench_synthesise(bench, &network, program, &run);
    *seconds = (double)run.wall_ns * 1e-9;
    return status;
}

static int measure_synthesis(struct bench *bench, long processes, char **program)
{
    double emit = 0, build = 0;
    int status = synthesise(bench, processes, 1, program, &emit);
    if (!status) {
        dal_free(*program);
        status = synthesise(bench, processes, 0, program, &build);
    }
    if (!status)
        status = add_figure(bench, "synthesis without the C compiler", processes, "s", emit);
    return status ? status : add_figure(bench, "synthesis with it", processes, "s", build);
}

/* Runs one token, to measure all that is not firing. */
static int measure_start(struct bench *bench, long processes, const char *program)
{
    const char *argv[] = {program, "-p", "Source.tokens=1", NULL};
    struct bench_run run;
    const char *peak;
    long kib = 0;
    int status = bench_execute(bench, NULL, argv, &run);
    if (status)
        return status;
    peak = strstr(run.output, "peak ");
    if (peak)
        sscanf(peak, "peak %ld", &kib);
    dal_free(run.output);
    status = add_figure(bench, "start and end", processes, "s", (double)run.wall_ns * 1e-9);
    return status ? status : add_figure(bench, "memory", processes, "MiB", (double)kib / 1024);
}

static int measure_firing(struct bench *bench, long processes, const char *program)
{
    struct by_hand hand = {.bench = bench, .processes = processes};
    char tokens[BENCH_NAME];
    struct bench_program ours = {
        .bench = bench, .file = program, .arguments = {tokens}, .scale = 1.0 / (double)processes};
    const struct bench_side mine = {.run = bench_run_program, .context = &ours};
    const struct bench_side limit = {.run = run_loop, .context = &hand};
    struct bench_record model = {.experiment = "scale",
                                 .name = "one firing",
                                 .param = (double)processes,
                                 .unit = "ns/firing"};
    int status;
    hand.channels = dal_calloc((size_t)processes, TOKEN_BYTES);
    if (!hand.channels)
        return DAL_ERR_NOMEM;
    hand.tokens = bench_tokens(bench, 1, 2 * (double)processes, CAPACITY);
    snprintf(tokens, sizeof(tokens), "Source.tokens=%ld", hand.tokens);
    status = bench_compare(bench, &model, &mine, &limit, 1);
    dal_free(hand.channels);
    return status;
}

int bench_scale(struct bench *bench)
{
    static const long sizes[] = {10, 100, 1000, 10000}; /* the last takes the compiler long */
    const size_t count = sizeof(sizes) / sizeof(sizes[0]) - !bench->effort.fine;
    int status = DAL_OK;
    for (size_t i = 0; !status && i < count; i++) {
        char *program = NULL;
        status = measure_synthesis(bench, sizes[i], &program);
        if (!status)
            status = measure_start(bench, sizes[i], program);
        if (!status)
            status = measure_firing(bench, sizes[i], program);
        dal_free(program);
    }
    return status;
}
