/*
 * overhead: Producer and Consumer with S = 1 and a channel of two tokens, over the work of a
 * firing. They are C compiled with -O0, -O2 and -O3 -march=native, and kernels with I work-items.
 * Scherer 2013, section 6.4. Not every compiler makes vectors of work-items, so one kernel has
 * vectors of its own.
 *
 * Limits: the same C functions in one loop, compiled the same way (dalbench_work.c). For kernels, a
 * loop that enqueues both in turn and never waits.
 */
#include "bench/dalbench.h"
#include "bench/dalbench_work.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"

#include "work.h"

#include <stdio.h>

enum {
    TOKEN_BYTES = 4 * BENCH_WORK_ELEMENTS,
    OPENCL_SOURCE = 3,
    TINY_LEVELS = 4, /* C, and one work-item */
    IN_FLIGHT = 4096,
    /* Of long firings, so that Result cannot get most of them at once after a pause. */
    FEW_RESULTS = 64,
    LONG_WORK = 1000,
    LEAST_TOKENS = 512, /* results come a batch at a time: one more hardly counts */
};

/* ---- C --------------------------------------------------------------------------------------- */

struct loop {
    uint64_t (*run)(long tokens, long work);
    long tokens, work;
};

/* Runs the loop. Its value is us a token. */
static int run_loop(void *context, struct bench_result *result)
{
    struct loop *loop = context;
    int64_t start = dal_now_ns();
    result->sum = loop->run(loop->tokens, loop->work);
    result->has_sum = 1;
    result->value = (double)(dal_now_ns() - start) * 1e-3 / (double)loop->tokens;
    return DAL_OK;
}

/* ---- OpenCL ---------------------------------------------------------------------------------- */

struct enqueue {
    struct bench_pair pair;
    long tokens;
    int checked; /* True: results are read and summed, and the run is not timed. */
};

static int run_enqueue(void *context, struct bench_result *result)
{
    struct enqueue *hand = context;
    struct bench_pair *pair = &hand->pair;
    int status = bench_pair_reset(pair);
    int64_t start;
    clFinish(pair->cl.queue);
    start = dal_now_ns();
    result->sum = WORK_SUM_START;
    result->has_sum = hand->checked;
    for (long n = 0; !status && n < hand->tokens; n++) {
        status = bench_pair_produce(pair, 1);
        if (!status)
            status = bench_pair_consume(pair, 1);
        if (!status && hand->checked)
            status = bench_pair_read(pair);
        if (hand->checked)
            result->sum = work_sum(result->sum, *pair->found);
        if (n % IN_FLIGHT == IN_FLIGHT - 1)
            clFinish(pair->cl.queue); /* bounds the memory that commands take */
    }
    clFinish(pair->cl.queue);
    result->value = (double)(dal_now_ns() - start) * 1e-3 / (double)hand->tokens;
    hand->checked = 0;
    return status;
}

/* ---- the experiment -------------------------------------------------------------------------- */

static const struct level {
    const char *name;
    int source;
    long items, lanes; /* of a kernel; 0: C */
    uint64_t (*run)(long tokens, long work);
    int quick, thesis;
} levels[] = {
    {"C -O0", 0, 0, 1, bench_work_O0, 1, 1},
    {"C -O2", 1, 0, 1, bench_work_O2, 1, 1},
    {"C -O3 -march=native", 2, 0, 1, bench_work_O3, 1, 1},
    {"OpenCL I=1", OPENCL_SOURCE, 1, 1, NULL, 1, 1},
    {"OpenCL I=4", OPENCL_SOURCE, 4, 1, NULL, 0, 1},
    {"OpenCL I=16", OPENCL_SOURCE, 16, 1, NULL, 1, 1},
    {"OpenCL I=64", OPENCL_SOURCE, 64, 1, NULL, 0, 0},
    {"OpenCL I=256", OPENCL_SOURCE, 256, 1, NULL, 1, 0},
    {"OpenCL I=4, 16 words at a time", OPENCL_SOURCE, 4, 16, NULL, 1, 1},
};

static int synthesise(struct bench *bench, const struct level *level, long work, char **program)
{
    const char *where = level->items ? "device_0" : "core_0";
    int source = level->source;
    long copies = level->items ? 1 : 0;
    const struct bench_binding bindings[] = {
        {.process = "Result", .processor = "core_0"},
        bench_bind("Producer", source, where, copies, level->items),
        bench_bind("Consumer", source, where, copies, level->items),
        {0},
    };
    struct bench_network network = {
        .specification = "synthetic/overhead.xml",
        .program = "overhead",
        .variables = {{"tokenbytes", TOKEN_BYTES},
                      {"items", level->items ? level->items : 1},
                      {"lanes", level->lanes},
                      {"work", work},
                      {"results", work < LONG_WORK ? 1024 : FEW_RESULTS}},
        .bindings = bindings,
    };
    return bench_synthesise(bench, &network, program, NULL);
}

static int compare_level(struct bench *bench, const struct level *level, long work,
                         const char *program, const struct bench_side *limit, long *tokens,
                         int *checked)
{
    char argument[BENCH_NAME], skip[BENCH_NAME], parameter[BENCH_NAME];
    struct bench_program ours = {
        .bench = bench, .file = program, .arguments = {argument, skip, parameter}, .scale = 1e-3};
    struct bench_side mine = {.run = bench_run_program, .context = &ours};
    struct bench_record model = {
        .experiment = "overhead", .items = level->items, .param = (double)work, .unit = "us/token"};
    int status = bench_probe(bench, limit, 1e3, 64, level->items ? LEAST_TOKENS : 16, tokens);
    if (*tokens > 100000 && level->items)
        *tokens = 100000;
    snprintf(model.name, sizeof(model.name), "%s", level->name);
    snprintf(argument, sizeof(argument), "Result.tokens=%ld", *tokens);
    snprintf(skip, sizeof(skip), "Result.skip=%ld", *tokens / 4);
    snprintf(parameter, sizeof(parameter), "Producer.work=%ld", work);
    if (checked)
        *checked = 1;
    return status ? status : bench_compare(bench, &model, &mine, limit, 1);
}

static int compare_c(struct bench *bench, const struct level *level, long work, const char *program)
{
    struct loop loop = {.run = level->run, .work = work};
    const struct bench_side limit = {.run = run_loop, .context = &loop};
    return compare_level(bench, level, work, program, &limit, &loop.tokens, NULL);
}

static int compare_opencl(struct bench *bench, const struct level *level, long work,
                          const char *program)
{
    struct bench_shape shape = {.tokens = 1,
                                .token_bytes = TOKEN_BYTES,
                                .items = level->items,
                                .lanes = level->lanes,
                                .work = work};
    struct enqueue hand = {0};
    const struct bench_side limit = {.run = run_enqueue, .context = &hand};
    int status = bench_pair_init(bench, &hand.pair, 0, &shape);
    if (!status)
        status = compare_level(bench, level, work, program, &limit, &hand.tokens, &hand.checked);
    bench_pair_finish(&hand.pair);
    return status;
}

static int measure_level(struct bench *bench, const struct level *level)
{
    static const long works[] = {1, 10, 100, 1000};
    char *program = NULL;
    const size_t count = bench_is_tiny(bench) ? 1 : sizeof(works) / sizeof(works[0]);
    const size_t step = bench->effort.fine || bench->effort.thesis ? 1 : 2;
    int status = DAL_OK;
    for (size_t i = 0; !status && i < count; i += step) {
        if (!program || level->items) { /* a kernel's work is a constant, that of C a parameter */
            dal_free(program);
            status = synthesise(bench, level, works[i], &program);
        }
        if (!status)
            status = level->items ? compare_opencl(bench, level, works[i], program)
                                  : compare_c(bench, level, works[i], program);
    }
    dal_free(program);
    return status;
}

int bench_overhead(struct bench *bench)
{
    const size_t count = bench_is_tiny(bench) ? TINY_LEVELS : sizeof(levels) / sizeof(levels[0]);
    int status = DAL_OK;
    if (!bench->device[0])
        bench_say("overhead: no OpenCL device, C alone");
    for (size_t i = 0; !status && i < count; i++)
        if ((bench->effort.thesis ? levels[i].thesis : bench->effort.fine || levels[i].quick) &&
            (!levels[i].items || bench->device[0]))
            status = measure_level(bench, &levels[i]);
    return status;
}
