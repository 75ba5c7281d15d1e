/*
 * group: a chain of eight kernels on a device, in one launch; what does a firing cost? Spread makes
 * a token out of a number. Add adds one to each of its words, six times. Gather makes a number of
 * it. Only the numbers come from a core and go to one.
 *
 * Limits: first, the same eight kernels, launched one by one for each token. Second, all eight as
 * one kernel written by hand, launched for each token. Third, a launch that keeps the schedule on
 * the device. It has as many work-groups as the device has room for, and each does a run of tokens.
 * For the third, a thread makes the numbers of a launch and sums its results while the device runs
 * another. With a launch for each token, numbers lie on the device, and results are summed only if
 * they are checked.
 */
#include "bench/dalbench.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"

#include "pass.h"

#include <stdio.h>

enum {
    ADDS = 6,
    FIRINGS = ADDS + 2,
    IN_FLIGHT = 4096,     /* launches by hand before it waits */
    CHECKED_TOKENS = 64,  /* tokens if the sums are compared */
    LOOP_TOKENS = 65536,  /* in a launch of the loop */
    MOST_ITEMS = 256,     /* the most that dalsynth takes on a GPU */
    ITEMS_A_UNIT = 2048,  /* work-items that a GPU's compute unit has room for, */
    GROUPS_A_UNIT = 32,   /* and work-groups */
    GROUPS_OF_CORES = 4,  /* work-groups for a compute unit that is a core */
    MOST_PROBES = 8,      /* runs until the tokens of a run are known */
    RUNS = 5,             /* factor for a run of the network, since a start takes time */
    LEAST_TOKENS = 65536, /* of the network, to find out how many take long enough */
};

enum { SPREAD, ADD, ADD_BACK, GATHER, FUSED, LOOP, KERNELS };

/* A launch of the loop in flight: numbers and results in pinned memory and on the device. */
struct batch {
    unsigned char *numbers, *results;
    cl_mem in, out;
    cl_event done;
    long tokens;
};

struct by_hand {
    struct bench_device cl;
    long token_bytes, items, groups; /* work-groups of the loop */
    cl_kernel kernels[KERNELS];
    cl_mem token[2];               /* tokens of the chain of launches: there and back */
    cl_mem number[CHECKED_TOKENS]; /* a buffer for each token */
    cl_mem result[CHECKED_TOKENS];
    struct batch batches[2];
    uint64_t sum;
    long tokens;
    int checked;
};

/* ---- a token a launch ------------------------------------------------------------------------ */

static int set_token(struct by_hand *hand, cl_kernel first, cl_kernel last, long n)
{
    int status = bench_set_buffer(first, 0, &hand->number[n % CHECKED_TOKENS]);
    return status ? status : bench_set_buffer(last, 1, &hand->result[n % CHECKED_TOKENS]);
}

static int launch_each(struct by_hand *hand, long n)
{
    const cl_kernel *k = hand->kernels;
    int i, status = set_token(hand, k[SPREAD], k[GATHER], n);
    if (!status)
        status = bench_launch(&hand->cl, k[SPREAD], hand->items, 1, NULL);
    for (i = 0; !status && i < ADDS; i++)
        status = bench_launch(&hand->cl, k[i % 2 ? ADD_BACK : ADD], hand->items, 1, NULL);
    return status ? status : bench_launch(&hand->cl, k[GATHER], hand->items, 1, NULL);
}

static int launch_fused(struct by_hand *hand, long n)
{
    cl_kernel fused = hand->kernels[FUSED];
    int status = set_token(hand, fused, fused, n);
    return status ? status : bench_launch(&hand->cl, fused, hand->items, 1, NULL);
}

static int play_tokens(struct by_hand *hand, int (*launch)(struct by_hand *, long))
{
    int status = DAL_OK;
    for (long n = 0; !status && n < hand->tokens; n++) {
        status = launch(hand, n);
        if (n % IN_FLIGHT == IN_FLIGHT - 1)
            clFinish(hand->cl.queue); /* bounds the memory that commands take */
    }
    return status;
}

static int play_each(struct by_hand *hand)
{
    return play_tokens(hand, launch_each);
}

static int play_fused(struct by_hand *hand)
{
    return play_tokens(hand, launch_fused);
}

/* ---- many tokens a launch -------------------------------------------------------------------- */

static int start_batch(struct by_hand *hand, struct batch *batch, long first)
{
    size_t bytes = 4 * (size_t)batch->tokens;
    cl_kernel loop = hand->kernels[LOOP];
    cl_uint tokens = (cl_uint)batch->tokens;
    int status;
    for (long n = 0; n < batch->tokens; n++)
        pass_source(batch->numbers + 4 * n, 4, (uint32_t)(first + n));
    status = DAL_CL("dalbench", clEnqueueWriteBuffer,
                    (hand->cl.queue, batch->in, CL_FALSE, 0, bytes, batch->numbers, 0, NULL, NULL));
    if (!status)
        status = bench_set_buffer(loop, 0, &batch->in);
    if (!status)
        status = bench_set_buffer(loop, 1, &batch->out);
    if (!status)
        status = DAL_CL("dalbench", clSetKernelArg, (loop, 2, sizeof(tokens), &tokens));
    if (!status)
        status = bench_launch(&hand->cl, loop, hand->items, hand->groups, NULL);
    if (!status)
        status = DAL_CL("dalbench", clEnqueueReadBuffer,
                        (hand->cl.queue, batch->out, CL_FALSE, 0, bytes, batch->results, 0, NULL,
                         &batch->done));
    return status ? status : DAL_CL("dalbench", clFlush, (hand->cl.queue));
}

/* Waits for a batch, if it is in flight. */
static int end_batch(struct by_hand *hand, struct batch *batch)
{
    int status;
    if (!batch->done)
        return DAL_OK;
    status = DAL_CL("dalbench", clWaitForEvents, (1, &batch->done));
    clReleaseEvent(batch->done);
    batch->done = NULL;
    for (long n = 0; !status && n < batch->tokens; n++)
        hand->sum += pass_sink(batch->results + 4 * n, 4);
    return status;
}

static int play_loop(struct by_hand *hand)
{
    int k, late, status = DAL_OK;
    for (long n = k = 0; !status && n < hand->tokens; n += LOOP_TOKENS, k = !k) {
        long rest = hand->tokens - n;
        status = end_batch(hand, &hand->batches[k]);
        hand->batches[k].tokens = rest < LOOP_TOKENS ? rest : LOOP_TOKENS;
        if (!status)
            status = start_batch(hand, &hand->batches[k], n);
    }
    for (long n = 0; n < 2; n++) {
        late = end_batch(hand, &hand->batches[n]);
        status = status ? status : late;
    }
    return status;
}

/* ---- sides ----------------------------------------------------------------------------------- */

/* Sums the results of launches with one token each. */
static int sum_results(struct by_hand *hand)
{
    int status = DAL_OK;
    for (long n = 0; !status && n < hand->tokens; n++) {
        unsigned char result[4];
        status = DAL_CL(
            "dalbench", clEnqueueReadBuffer,
            (hand->cl.queue, hand->result[n], CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
        if (!status)
            hand->sum += pass_sink(result, sizeof(result));
    }
    return status;
}

/* Runs a side by hand. Its value is ns a firing. */
static int run_by_hand(struct by_hand *hand, int (*play)(struct by_hand *),
                       struct bench_result *result)
{
    int64_t start = dal_now_ns();
    int status;
    hand->sum = 0;
    status = play(hand);
    clFinish(hand->cl.queue);
    result->value = (double)(dal_now_ns() - start) / (double)hand->tokens / FIRINGS;
    if (!status && hand->checked && play != play_loop)
        status = sum_results(hand);
    result->has_sum = hand->checked;
    result->sum = hand->sum;
    return status;
}

/* A way by hand and the tokens that take it long enough. Ways may be a thousand times apart. */
struct limit {
    struct by_hand *hand;
    int (*play)(struct by_hand *hand);
    long tokens;
};

static int run_limit(void *context, struct bench_result *result)
{
    struct limit *limit = context;
    limit->hand->tokens = limit->hand->checked ? CHECKED_TOKENS : limit->tokens;
    return run_by_hand(limit->hand, limit->play, result);
}

/* ---- by hand --------------------------------------------------------------------------------- */

static int make_kernels(struct bench *bench, struct by_hand *hand)
{
    static const struct {
        const char *file, *name;
    } programs[KERNELS] = {
        [SPREAD] = {"synthetic/spread.cl", "Spread"},
        [ADD] = {"synthetic/add.cl", "Add"},
        [ADD_BACK] = {"synthetic/add.cl", "Add"},
        [GATHER] = {"synthetic/gather.cl", "Gather"},
        [FUSED] = {"synthetic/group_by_hand.cl", "Fused"},
        [LOOP] = {"synthetic/group_by_hand.cl", "Loop"},
    };
    char *options = dal_format("-I%s/synthetic -DVAR_tokenbytes=%ld -DVAR_items=%ld", bench->apps,
                               hand->token_bytes, hand->items);
    int status = options ? DAL_OK : DAL_ERR_NOMEM;

    for (int i = 0; !status && i < KERNELS; i++)
        status = bench_make_kernel(bench, &hand->cl, programs[i].file, programs[i].name, options,
                                   &hand->kernels[i]);
    dal_free(options);
    return status;
}

static int make_number(struct by_hand *hand, int i)
{
    cl_uint number = (cl_uint)i;
    int status = bench_make_buffer(&hand->cl, 4, &hand->number[i]);
    if (!status)
        status = bench_make_buffer(&hand->cl, 4, &hand->result[i]);
    return status ? status
                  : DAL_CL("dalbench", clEnqueueWriteBuffer,
                           (hand->cl.queue, hand->number[i], CL_TRUE, 0, sizeof(number), &number, 0,
                            NULL, NULL));
}

static int make_batch(struct by_hand *hand, struct batch *batch)
{
    int status = bench_make_pinned(&hand->cl, 4 * LOOP_TOKENS, &batch->numbers);
    if (!status)
        status = bench_make_pinned(&hand->cl, 4 * LOOP_TOKENS, &batch->results);
    if (!status)
        status = bench_make_buffer(&hand->cl, 4 * LOOP_TOKENS, &batch->in);
    return status ? status : bench_make_buffer(&hand->cl, 4 * LOOP_TOKENS, &batch->out);
}

static int make_buffers(struct by_hand *hand)
{
    int status = DAL_OK;
    for (int i = 0; !status && i < 2; i++) {
        status = make_batch(hand, &hand->batches[i]);
        if (!status)
            status = bench_make_buffer(&hand->cl, (size_t)hand->token_bytes, &hand->token[i]);
    }
    for (int i = 0; !status && i < CHECKED_TOKENS; i++)
        status = make_number(hand, i);
    return status;
}

static int set_arguments(struct by_hand *hand)
{
    const struct {
        int kernel;
        cl_uint index;
        cl_mem memory;
    } arguments[] = {
        {SPREAD, 1, hand->token[0]},   {ADD, 0, hand->token[0]},      {ADD, 1, hand->token[1]},
        {ADD_BACK, 0, hand->token[1]}, {ADD_BACK, 1, hand->token[0]}, {GATHER, 0, hand->token[0]},
    };
    int status = DAL_OK;

    for (size_t i = 0; !status && i < sizeof(arguments) / sizeof(arguments[0]); i++)
        status = bench_set_buffer(hand->kernels[arguments[i].kernel], arguments[i].index,
                                  &arguments[i].memory);
    return status;
}

/* Sets the work-items to dalsynth's number, and the work-groups to the device's room. */
static void shape_launches(struct by_hand *hand, const struct dal_device_info *info)
{
    long each = GROUPS_OF_CORES;
    hand->items = 1;
    if (info->type != DAL_DEVICE_CPU) {
        while (2 * hand->items <= MOST_ITEMS && 8 * hand->items <= hand->token_bytes)
            hand->items *= 2;
        each = ITEMS_A_UNIT / hand->items;
        each = each > GROUPS_A_UNIT ? GROUPS_A_UNIT : each;
    }
    hand->groups = each * (long)info->compute_units;
}

static int init_by_hand(struct bench *bench, struct by_hand *hand, long token_bytes)
{
    int status = bench_device_open(bench, &hand->cl, 0);
    hand->token_bytes = token_bytes;
    shape_launches(hand, bench->device[0]);
    if (!status)
        status = make_kernels(bench, hand);
    if (!status)
        status = make_buffers(hand);
    return status ? status : set_arguments(hand);
}

/* ---- the network ----------------------------------------------------------------------------- */

/* Synthesises the network. `group` is as in a mapping; with `items` 0, dalsynth chooses. */
static int synthesise(struct bench *bench, long token_bytes, const char *group, int items,
                      char **program)
{
    const struct bench_binding bindings[] = {
        {.process = "*", .processor = "device_0", .items = items, .group = group},
        {.process = "Source", .processor = "core_0"},
        {.process = "Sink", .processor = "core_0"},
        {0},
    };
    struct bench_network network = {
        .specification = "synthetic/group.xml",
        .program = "group",
        .variables = {{"tokenbytes", token_bytes}},
        .bindings = bindings,
    };
    return bench_synthesise(bench, &network, program, NULL);
}

/* ---- the experiment -------------------------------------------------------------------------- */

/* Mappings of the chain. Those with limits come first. */
static const struct way {
    const char *name, *group;
    int items;
    int of_cores; /* True: only if compute units are cores. */
    long smallest;
    int limits;
} ways[] = {
    {"one group", "yes", 0, 0, 4, BENCH_LIMITS},
    {"each by itself", "no", 0, 0, 4, 0},
    {"one group, I=16", "yes", 16, 1, 1024, 0},
};

static void set_tokens(char argument[BENCH_NAME], long tokens)
{
    snprintf(argument, BENCH_NAME, "Source.tokens=%ld", tokens);
}

/* Finds the tokens that take the network long enough. Few would measure only the start, which is
 * why a probe that says that more are needed is not the last. */
static int probe_network(struct bench *bench, struct bench_program *ours, char argument[BENCH_NAME])
{
    struct bench_result probe = {0};
    long tokens = LEAST_TOKENS, before = 0;
    int status = DAL_OK;
    for (int i = 0; i < MOST_PROBES && !status && tokens > before + before / 4; i++) {
        before = tokens;
        set_tokens(argument, tokens);
        status = bench_run_program(ours, &probe);
        tokens = bench_tokens(bench, RUNS, probe.value * FIRINGS, 1);
    }
    set_tokens(argument, tokens > before ? tokens : before);
    return status;
}

static int probe_limit(struct bench *bench, const struct bench_side *side, struct limit *limit)
{
    struct bench_result probe = {0};
    int status;
    limit->tokens = CHECKED_TOKENS;
    status = side->run(side->context, &probe); /* a first launch takes longer */
    limit->tokens = limit->play == play_loop ? LOOP_TOKENS : CHECKED_TOKENS;
    if (!status)
        status = side->run(side->context, &probe);
    limit->tokens = bench_tokens(bench, 1, probe.value * FIRINGS, 1);
    return status;
}

/* Compares the sums of few tokens, and then the times. */
static int compare_ways(struct bench *bench, struct by_hand *hand, struct bench_program *ours,
                        char argument[BENCH_NAME], const struct bench_record *model, int limits)
{
    const struct bench_side mine = {.run = bench_run_program, .context = ours};
    struct limit ways_by_hand[] = {
        {hand, play_each, 0}, {hand, play_fused, 0}, {hand, play_loop, 0}};
    const struct bench_side by_hand[] = {
        {run_limit, &ways_by_hand[0], "launches"},
        {run_limit, &ways_by_hand[1], "a fused kernel"},
        {run_limit, &ways_by_hand[2], "a loop on the device"},
    };
    struct bench_result found;
    int status;
    set_tokens(argument, CHECKED_TOKENS);
    hand->checked = 1;
    status = bench_agree(bench, model, &mine, by_hand, limits, &found);
    hand->checked = 0;
    if (!status)
        status = probe_network(bench, ours, argument);
    for (int i = 0; !status && i < limits; i++)
        status = probe_limit(bench, &by_hand[i], &ways_by_hand[i]);
    return status ? status : bench_measure(bench, model, &mine, by_hand, limits);
}

static int measure_way(struct bench *bench, struct by_hand *hand, const struct way *way)
{
    struct bench_record model = {
        .experiment = "group", .param = (double)hand->token_bytes, .unit = "ns/firing"};
    char argument[BENCH_NAME], *program = NULL;
    struct bench_program ours = {.bench = bench, .arguments = {argument}, .scale = 1.0 / FIRINGS};
    int status = synthesise(bench, hand->token_bytes, way->group, way->items, &program);
    snprintf(model.name, sizeof(model.name), "%s", way->name);
    ours.file = program;
    if (!status)
        status = compare_ways(bench, hand, &ours, argument, &model, way->limits);
    dal_free(program);
    return status;
}

static int measure_size(struct bench *bench, long token_bytes)
{
    int of_cores = bench->device[0]->type == DAL_DEVICE_CPU;
    struct by_hand hand = {0};
    int status = init_by_hand(bench, &hand, token_bytes);
    for (size_t i = 0; !status && i < sizeof(ways) / sizeof(ways[0]); i++)
        if (token_bytes >= ways[i].smallest && (of_cores || !ways[i].of_cores))
            status = measure_way(bench, &hand, &ways[i]);
    bench_device_close(&hand.cl);
    return status;
}

int bench_group(struct bench *bench)
{
    static const struct {
        long bytes;
        int quick;
    } sizes[] = {{4, 1}, {64, 0}, {1024, 0}, {4096, 1}};
    int status = DAL_OK;

    for (size_t i = 0; !status && i < sizeof(sizes) / sizeof(sizes[0]); i++)
        if (bench->effort.fine || sizes[i].quick)
            status = measure_size(bench, sizes[i].bytes);
    return status;
}
