/*
 * The least task granularity that keeps half of the cores busy, METG(50 %) of Task Bench (Slaughter
 * et al. 2020). A column of tasks for each core, a task in each time step; a task takes the values
 * of the step before, as its pattern says (apps/synthetic/patterns.h), and then dependent steps of
 * arithmetic. The granularity is the time of a time step in the end; half of it may be something
 * else than arithmetic.
 *
 * A network has a process a column and a channel for each pair of columns that is ever read, and
 * one from each column to itself. It is cyclo-static where the pattern changes with the step. By
 * hand it is a loop by OpenMP with a barrier behind each step. Independent columns have neither
 * channels nor barriers.
 */
#include "bench/dalbench_cores.h"

#include "rt/base/alloc.h"
#include "rt/base/output.h"

#include "patterns.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    TOKEN_BYTES = 16, /* as in Task Bench */
    LONGEST = 17,     /* a task has at most 2^17 steps, some 170 us */
    REST = 4096,      /* tasks behind those that count: see column.c */
    LEAST_TASKS = 20,
    CHECKED_TASKS = 200,
    CHECKED_STEPS = 50,
};
static const double STEP_NS = 1.3, LEAST_OVERHEAD_NS = 500; /* for the count of tasks */

static const struct {
    const char *name;
    int quick, tiny;
} patterns[PATTERNS] = {
    [PATTERN_INDEPENDENT] = {"independent", 1, 0},
    [PATTERN_STENCIL] = {"stencil", 1, 1},
    [PATTERN_FFT] = {"fft", 0, 0},
    [PATTERN_TREE] = {"tree", 0, 0},
    [PATTERN_NEAREST] = {"random nearest", 1, 1},
};

/* A program that runs the columns. */
struct columns {
    struct bench *bench;
    const char *file;
    const struct cores_list *list;
    int by_hand;
    double step_ns;     /* of arithmetic, with all columns at work */
    double overhead_ns; /* of a time step of the last run, for the count of tasks of the next */
    int checked;        /* True: a run that tells the sum, and no time. */
};

/* ---- the network ----------------------------------------------------------------------------- */

/* Returns the phases in which one column reads from another, as a mask; or, with `before` 1, those
 * in which that one writes: the steps before. */
static unsigned phases_of(enum pattern pattern, int columns, int to, int from, int before)
{
    int phases = pattern_phases(pattern, columns);
    unsigned mask = 0;
    for (int phase = 0; phase < phases; phase++)
        if (pattern_reads(pattern, (phase + before) % phases, to, from))
            mask |= 1u << phase;
    return mask;
}

static void write_sequence(FILE *file, unsigned mask, int phases)
{
    for (int phase = 0; phase < phases; phase++)
        fprintf(file, "%s%u", phase ? "," : "", mask >> phase & 1);
}

static void write_column(FILE *file, const char *source, enum pattern pattern, int columns,
                         int column)
{
    unsigned mask;
    int keeps = pattern == PATTERN_INDEPENDENT;
    fprintf(file,
            "  <process name=\"Column[%d]\" source=\"%s\" cflags=\"-O3 -DCOLUMN=%d -DKEEPS=%d "
            "-DREST=%d -DREADS=",
            column, source, column, keeps, keeps ? 0 : REST);
    for (int from = 0; from < columns; from++)
        if ((mask = phases_of(pattern, columns, column, from, 0)))
            fprintf(file, "R(from_%d,%u)", from, mask);
    fprintf(file, " -DWRITES=");
    for (int to = 0; to < columns; to++)
        if ((mask = phases_of(pattern, columns, to, column, 1)))
            fprintf(file, "W(to_%d,%u)", to, mask);
    fprintf(file, "\">\n    <parameter name=\"steps\" value=\"1\"/>\n"
                  "    <parameter name=\"tasks\" value=\"1\"/>\n  </process>\n");
    if (!keeps)
        fprintf(file,
                "  <channel name=\"own_%d\" from=\"Column[%d].next\" to=\"Column[%d].own\" "
                "tokensize=\"%d\" initialtokens=\"1\"/>\n",
                column, column, column, TOKEN_BYTES);
}

/* Writes the channel between two columns. The token of the step before the first one is there. */
static void write_channel(FILE *file, enum pattern pattern, int columns, int from, int to)
{
    unsigned reads = phases_of(pattern, columns, to, from, 0);
    int phases = pattern_phases(pattern, columns);
    if (!reads)
        return;
    fprintf(file,
            "  <channel name=\"c_%d_%d\" from=\"Column[%d].to_%d\" to=\"Column[%d].from_%d\" "
            "tokensize=\"%d\"",
            from, to, from, to, to, from, TOKEN_BYTES);
    fprintf(file, " initialtokens=\"%u\" tokenratein=\"", reads & 1);
    write_sequence(file, phases_of(pattern, columns, to, from, 1), phases);
    fprintf(file, "\" tokenrateout=\"");
    write_sequence(file, reads, phases);
    fprintf(file, "\"/>\n");
}

static int write_network(struct bench *bench, enum pattern pattern, int columns, const char *name)
{
    char *source = cores_source(bench, "synthetic/column.c");
    struct dal_output out;
    int status = source ? dal_output_open(&out, "", name) : DAL_ERR_NOMEM;
    if (!status) {
        fprintf(out.file, "<processnetwork name=\"columns\">\n");
        for (int column = 0; column < columns; column++)
            write_column(out.file, source, pattern, columns, column);
        for (int k = 0; k < columns * columns; k++)
            write_channel(out.file, pattern, columns, k / columns, k % columns);
        fprintf(out.file, "</processnetwork>\n");
        status = dal_output_close(&out);
    }
    dal_free(source);
    return status;
}

static int build_network(struct bench *bench, enum pattern pattern, const struct cores_list *list,
                         char **program)
{
    struct bench_binding bindings[CORES_MOST + 1] = {{0}};
    char names[CORES_MOST][2][BENCH_NAME];
    char *file = dal_format("%s/columns.xml", bench->folder);
    struct bench_network network = {
        .specification = file, .program = "columns", .bindings = bindings};
    int status = file ? write_network(bench, pattern, list->count, file) : DAL_ERR_NOMEM;
    for (int i = 0; i < list->count; i++) {
        snprintf(names[i][0], BENCH_NAME, "Column_%d", i);
        snprintf(names[i][1], BENCH_NAME, "core_%d", i);
        bindings[i] = bench_bind(names[i][0], 0, names[i][1], 0, 0);
    }
    if (!status)
        status = bench_synthesise(bench, &network, program, NULL);
    dal_free(file);
    return status;
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* Reads what each column says. *ns becomes the time from the first begin to the last end. */
static int read_columns(const struct columns *columns, const char *output, double *ns,
                        uint64_t *sum)
{
    int64_t begin, end, first = INT64_MAX, last = 0;
    unsigned value;
    int count = 0;
    *sum = 0;
    for (const char *line = output; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (sscanf(line, "column %*d begin %" SCNd64 " end %" SCNd64 " value %x", &begin, &end,
                   &value) != 3)
            continue;
        first = begin < first ? begin : first;
        last = end > last ? end : last;
        *sum += value;
        count++;
    }
    *ns = (double)(last - first);
    if (count == columns->list->count && last > first)
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "%s says: %s", columns->file, output);
    return DAL_ERR_PROCESS;
}

/* Runs so many tasks in each column. */
static int run_columns(struct columns *columns, long steps, long tasks, double *ns, uint64_t *sum)
{
    const char *prefix = columns->by_hand ? "" : "Column.";
    char steps_text[BENCH_NAME], tasks_text[BENCH_NAME];
    const char *argv[] = {columns->file,          "-p", steps_text, "-p", tasks_text, "-p",
                          columns->list->numbers, NULL};
    struct bench_run run;
    int status;
    snprintf(steps_text, sizeof(steps_text), "%ssteps=%ld", prefix, steps);
    snprintf(tasks_text, sizeof(tasks_text), "%stasks=%ld", prefix, tasks);
    if (!columns->by_hand)
        argv[5] = NULL;
    status = bench_execute(columns->bench, NULL, argv, &run);
    if (!status)
        status = read_columns(columns, run.output, ns, sum);
    if (!status)
        columns->overhead_ns =
            fmax(*ns / (double)tasks - (double)steps * STEP_NS, LEAST_OVERHEAD_NS);
    dal_free(run.output);
    return status;
}

/* Sets *step_ns to the time of a time step whose tasks have so many steps. */
static int time_step(struct columns *columns, long steps, double *step_ns)
{
    double ns, expected = (double)steps * STEP_NS + columns->overhead_ns;
    long tasks = (long)((double)columns->bench->effort.run_ns / expected);
    uint64_t sum;
    int status;
    tasks = tasks < LEAST_TASKS ? LEAST_TASKS : tasks;
    status = run_columns(columns, steps, tasks, &ns, &sum);
    *step_ns = ns / (double)tasks;
    return status;
}

/* Finds the least granularity at which half of the time is arithmetic, in us, by bisection over the
 * logarithm of the steps. */
static int bisect(struct columns *columns, double *metg)
{
    double low = 0, high = LONGEST, step_ns = 0;
    int status = DAL_OK, rounds = bench_is_tiny(columns->bench) ? 2 : 8;
    *metg = 1e-3 * 2 * exp2(LONGEST) * columns->step_ns;
    for (int k = 0; !status && k < rounds; k++) {
        double middle = (low + high) / 2;
        long steps = lround(exp2(middle));
        status = time_step(columns, steps, &step_ns);
        if ((double)steps * columns->step_ns < step_ns / 2) {
            low = middle;
        } else {
            high = middle;
            *metg = 1e-3 * step_ns;
        }
    }
    return status;
}

static int run_side(void *context, struct bench_result *result)
{
    struct columns *columns = context;
    double ns;
    result->has_sum = columns->checked;
    return columns->checked ? run_columns(columns, CHECKED_STEPS, CHECKED_TASKS, &ns, &result->sum)
                            : bisect(columns, &result->value);
}

/* ---- a pattern ------------------------------------------------------------------------------- */

/* Finds what a step of arithmetic takes while all columns work: at best, of long tasks. */
static int calibrate(struct columns *columns)
{
    double ns = 0, least = INFINITY;
    int status = DAL_OK;
    for (int k = 0; !status && k < 3; k++) {
        status = time_step(columns, 1L << LONGEST, &ns);
        least = fmin(least, ns / exp2(LONGEST));
    }
    columns->step_ns = least;
    return status;
}

static int compare_columns(struct bench *bench, enum pattern pattern, struct columns *network,
                           struct columns *hand)
{
    const struct bench_side ours = {.run = run_side, .context = network};
    const struct bench_side limit = {.run = run_side, .context = hand, .name = "OpenMP"};
    struct bench_record model = {
        .experiment = "cores", .param = (double)network->list->count, .unit = "us"};
    int limits = hand->file != NULL;
    struct bench_result found;
    int status;
    snprintf(model.name, sizeof(model.name), "METG %s", patterns[pattern].name);
    network->checked = hand->checked = 1;
    status = bench_agree(bench, &model, &ours, &limit, limits, &found);
    network->checked = hand->checked = 0;
    if (!status)
        status = calibrate(limits ? hand : network);
    network->step_ns = hand->step_ns = limits ? hand->step_ns : network->step_ns;
    return status ? status : bench_measure(bench, &model, &ours, &limit, limits);
}

static int measure_pattern(struct bench *bench, enum pattern pattern, int cores)
{
    struct cores_list list;
    struct columns network = {.bench = bench, .list = &list};
    struct columns hand = {.bench = bench, .list = &list, .by_hand = 1};
    char options[BENCH_NAME];
    char *ours = NULL, *theirs = NULL;
    int status;
    cores_list_init(bench, &list, cores);
    snprintf(options, sizeof(options), "-DPATTERN=%d -DCOLUMNS=%d", (int)pattern, cores);
    status = cores_peer_build(bench, CORES_OPENMP, "synthetic/columns_openmp.c", options, &theirs);
    if (!status)
        status = build_network(bench, pattern, &list, &ours);
    network.file = ours;
    hand.file = theirs;
    if (!status)
        status = compare_columns(bench, pattern, &network, &hand);
    dal_free(ours);
    dal_free(theirs);
    return status;
}

int cores_columns(struct bench *bench)
{
    int counts[CORES_COUNTS], count = cores_counts(bench, counts), status = DAL_OK;
    for (int k = 0; k < PATTERNS; k++) {
        if (bench_is_tiny(bench) ? !patterns[k].tiny : !bench->effort.fine && !patterns[k].quick)
            continue;
        for (int i = 0; !status && i < count; i++)
            if (i == count - 1 || (bench->effort.fine && counts[i] > 1))
                status = measure_pattern(bench, (enum pattern)k, counts[i]);
    }
    return status;
}
