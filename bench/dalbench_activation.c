/*
 * activation: Producer and Consumer with one firing a launch; how soon does the next launch follow?
 * Scherer 2013, sections 4.4 and 6.3. And the policies of the task queue: how long is a token on
 * its way through a long chain, beside short ones on the same device?
 *
 * Limits: `direct` is driven by callbacks: when a launch completes, its callback launches what has
 * become possible. The other limit is a bare loop that enqueues both kernels in turn and never
 * waits. The runtime has no policy like `direct`; it is written by hand here for comparison. The
 * limit of a policy is the same network with `fcfs`.
 *
 * By hand, results are copied to the host only if they are checked, and not in timed runs.
 */
#include "bench/dalbench.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"

#include "work.h"

#include <pthread.h>
#include <stdio.h>

enum {
    TOKEN_BYTES = 1024,
    MOST_CAPACITY = 64,
    BARE_IN_FLIGHT = 4096,
    CHECKED_TOKENS = 64,
    /* Results come a batch at a time. This many make one more batch hardly count; slow kernels
     * have small batches. */
    LEAST_TOKENS = 2048,
    FEW_TOKENS = 256,
    /* Of long firings, so that Result cannot get most of them at once after a pause. */
    FEW_RESULTS = 32,
    LONG_WORK = 1000,
    LONG_RUNS = 4, /* so many times as long as a run should be */
    MOST_TOKENS = 200000,
};

/* The network's processes and channels by hand, with a buffer for each token. */
struct by_hand {
    struct bench_pair pair;
    long tokens, capacity;
    cl_mem data[MOST_CAPACITY], results[MOST_CAPACITY];
    uint32_t *found; /* results, when `checked` */
    int checked;
    /* direct: at most one launch of each process is in flight; the mutex guards all members
     * below */
    pthread_mutex_t mutex;
    pthread_cond_t done;
    long produced, consumed, finished; /* launches of each, and ended ones of Consumer */
    long available, room;              /* tokens and space in the channel */
    int producing, consuming;          /* True while a launch is in flight. */
    int active;                        /* True while somebody launches. */
    int failed;
};

/* Enqueues Producer for token n, with an event when `event` is not NULL. */
static int produce(struct by_hand *hand, long n, cl_event *event)
{
    struct bench_pair *pair = &hand->pair;
    int status = bench_pair_turn(pair);
    if (!status)
        status = bench_set_buffer(pair->producer, 2, &hand->data[n % hand->capacity]);
    return status ? status : bench_launch(&pair->cl, pair->producer, pair->shape.items, 1, event);
}

static int consume(struct by_hand *hand, long n, cl_event *event)
{
    struct bench_pair *pair = &hand->pair;
    cl_mem *result = &hand->results[n % hand->capacity];
    int status = bench_set_buffer(pair->consumer, 0, &hand->data[n % hand->capacity]);
    if (!status)
        status = bench_set_buffer(pair->consumer, 1, result);
    if (!status)
        status = bench_launch(&pair->cl, pair->consumer, pair->shape.items, 1,
                              hand->checked ? NULL : event);
    if (!status && hand->checked)
        status = DAL_CL("dalbench", clEnqueueReadBuffer,
                        (pair->cl.queue, *result, CL_FALSE, 0, sizeof(*hand->found),
                         &hand->found[n], 0, NULL, event));
    return status;
}

/* ---- direct ---------------------------------------------------------------------------------- */

static void fire_possible(struct by_hand *hand);

static void CL_CALLBACK producer_done(cl_event event, cl_int status, void *context)
{
    struct by_hand *hand = context;
    (void)event;
    pthread_mutex_lock(&hand->mutex);
    hand->failed |= status != CL_COMPLETE;
    hand->producing = 0;
    hand->available++;
    fire_possible(hand);
    pthread_mutex_unlock(&hand->mutex);
}

static void CL_CALLBACK consumer_done(cl_event event, cl_int status, void *context)
{
    struct by_hand *hand = context;
    (void)event;
    pthread_mutex_lock(&hand->mutex);
    hand->failed |= status != CL_COMPLETE;
    hand->consuming = 0;
    hand->room++;
    hand->finished++;
    fire_possible(hand);
    pthread_mutex_unlock(&hand->mutex);
}

/* Launches a token, without the mutex, since a callback may run within this call. */
static int launch_token(struct by_hand *hand, int producer, long n)
{
    cl_event event = NULL;
    int status = producer ? produce(hand, n, &event) : consume(hand, n, &event);
    if (!status)
        status = DAL_CL("dalbench", clSetEventCallback,
                        (event, CL_COMPLETE, producer ? producer_done : consumer_done, hand));
    if (event)
        clReleaseEvent(event);
    return status ? status : DAL_CL("dalbench", clFlush, (hand->pair.cl.queue));
}

static int can_produce(const struct by_hand *hand)
{
    return !hand->producing && hand->room > 0 && hand->produced < hand->tokens;
}

static int can_consume(const struct by_hand *hand)
{
    return !hand->consuming && hand->available > 0;
}

/* Launches what is possible, unless somebody does so already. The caller holds the mutex. */
static void fire_possible(struct by_hand *hand)
{
    if (hand->active)
        return;
    hand->active = 1;
    while (!hand->failed && (can_consume(hand) || can_produce(hand))) {
        int producer = !can_consume(hand), status;
        long n = producer ? hand->produced++ : hand->consumed++;
        if (producer) {
            hand->producing = 1;
            hand->room--;
        } else {
            hand->consuming = 1;
            hand->available--;
        }
        pthread_mutex_unlock(&hand->mutex);
        status = launch_token(hand, producer, n);
        pthread_mutex_lock(&hand->mutex);
        hand->failed |= status != DAL_OK;
    }
    hand->active = 0;
    if (hand->failed || hand->finished == hand->tokens)
        pthread_cond_signal(&hand->done);
}

static int play_direct(struct by_hand *hand)
{
    pthread_mutex_lock(&hand->mutex);
    hand->produced = hand->consumed = hand->finished = hand->available = 0;
    hand->room = hand->capacity;
    fire_possible(hand);
    while (!hand->failed && (hand->finished < hand->tokens || hand->active))
        pthread_cond_wait(&hand->done, &hand->mutex);
    pthread_mutex_unlock(&hand->mutex);
    return hand->failed ? DAL_ERR_DEVICE : DAL_OK;
}

/* ---- the bare loop --------------------------------------------------------------------------- */

static int play_bare(struct by_hand *hand)
{
    int status = DAL_OK;
    for (long n = 0; !status && n < hand->tokens; n++) {
        status = produce(hand, n, NULL);
        if (!status)
            status = consume(hand, n, NULL);
        if (n % BARE_IN_FLIGHT == BARE_IN_FLIGHT - 1)
            clFinish(hand->pair.cl.queue); /* bounds the memory that commands take */
    }
    return status;
}

/* ---- sides ----------------------------------------------------------------------------------- */

/* Runs a side. Its value is us a token. */
static int run_by_hand(struct by_hand *hand, int (*program)(struct by_hand *),
                       struct bench_result *result)
{
    int status = bench_pair_reset(&hand->pair);
    int64_t start;
    clFinish(hand->pair.cl.queue);
    start = dal_now_ns();
    if (!status)
        status = program(hand);
    clFinish(hand->pair.cl.queue);
    result->value = (double)(dal_now_ns() - start) * 1e-3 / (double)hand->tokens;
    if (!hand->checked)
        return status;
    hand->checked--;
    result->has_sum = 1;
    result->sum = WORK_SUM_START;
    for (long n = 0; n < hand->tokens; n++)
        result->sum = work_sum(result->sum, hand->found[n]);
    return status;
}

static int run_direct(void *context, struct bench_result *result)
{
    return run_by_hand(context, play_direct, result);
}

static int run_bare(void *context, struct bench_result *result)
{
    return run_by_hand(context, play_bare, result);
}

static int run_bare_launch(void *context, struct bench_result *result)
{
    int status = run_bare(context, result);
    result->value /= 2;
    return status;
}

/* ---- one firing a launch --------------------------------------------------------------------- */

static int init_by_hand(struct bench *bench, struct by_hand *hand, long work)
{
    struct bench_shape shape = {
        .tokens = 1,
        .token_bytes = TOKEN_BYTES,
        .items = bench->device[0]->type == DAL_DEVICE_CPU ? 1 : 64,
        .lanes = 1,
        .work = work,
    };
    int i, status = bench_pair_init(bench, &hand->pair, 0, &shape);
    pthread_mutex_init(&hand->mutex, NULL);
    pthread_cond_init(&hand->done, NULL);
    for (i = 0; !status && i < MOST_CAPACITY; i++) {
        status = bench_make_buffer(&hand->pair.cl, TOKEN_BYTES, &hand->data[i]);
        if (!status)
            status = bench_make_buffer(&hand->pair.cl, TOKEN_BYTES, &hand->results[i]);
    }
    return status;
}

static void finish_by_hand(struct by_hand *hand)
{
    bench_pair_finish(&hand->pair);
    dal_free(hand->found);
    pthread_cond_destroy(&hand->done);
    pthread_mutex_destroy(&hand->mutex);
}

static int synthesise(struct bench *bench, const struct by_hand *hand, char **program)
{
    long items = hand->pair.shape.items;
    const struct bench_binding bindings[] = {
        {.process = "*", .processor = "core_0"},
        bench_bind("Producer", 1, "device_0", 1, items),
        bench_bind("Consumer", 1, "device_0", 1, items),
        {0},
    };
    struct bench_network network = {
        .specification = "synthetic/activation.xml",
        .program = "activation",
        .variables = {{"tokenbytes", TOKEN_BYTES},
                      {"capacity", hand->capacity},
                      {"items", items},
                      {"work", hand->pair.shape.work},
                      {"results", hand->pair.shape.work < LONG_WORK ? 1024 : FEW_RESULTS}},
        .bindings = bindings,
    };
    return bench_synthesise(bench, &network, program, NULL);
}

static void set_arguments(char tokens[BENCH_NAME], char skip[BENCH_NAME], long count)
{
    snprintf(tokens, BENCH_NAME, "Result.tokens=%ld", count);
    snprintf(skip, BENCH_NAME, "Result.skip=%ld", count / 4);
}

/* Times the network and one way by hand. Each has as many tokens as take long enough, since a
 * callback may be a thousand times slower than the loop. */
static int compare_with(struct bench *bench, struct by_hand *hand, struct bench_program *ours,
                        char arguments[2][BENCH_NAME], const struct bench_record *model,
                        const struct bench_side *limit)
{
    const struct bench_side mine = {.run = bench_run_program, .context = ours};
    struct bench_result found, probe = {0};
    long tokens, least = LEAST_TOKENS;
    int status;
    set_arguments(arguments[0], arguments[1], CHECKED_TOKENS);
    hand->tokens = CHECKED_TOKENS;
    hand->checked = 1;
    status = bench_agree(bench, model, &mine, limit, 1, &found);
    set_arguments(arguments[0], arguments[1], FEW_TOKENS);
    if (!status)
        status = bench_run_program(ours, &probe);
    if (probe.value / ours->scale * LEAST_TOKENS > LONG_RUNS * (double)bench->effort.run_ns)
        least = FEW_TOKENS;
    set_arguments(arguments[0], arguments[1], least);
    if (!status && least == LEAST_TOKENS)
        status = bench_run_program(ours, &probe);
    if (!status)
        status = bench_probe(bench, limit, 1e3, 16, 16, &hand->tokens);
    if (hand->tokens > MOST_TOKENS)
        hand->tokens = MOST_TOKENS;
    if (status)
        return status;
    tokens = bench_tokens(bench, 1, probe.value / ours->scale, least);
    set_arguments(arguments[0], arguments[1], tokens < MOST_TOKENS ? tokens : MOST_TOKENS);
    return bench_measure(bench, model, &mine, limit, 1);
}

static int compare_ways(struct bench *bench, struct by_hand *hand, char *program)
{
    char arguments[2][BENCH_NAME];
    struct bench_program ours = {
        .bench = bench, .file = program, .arguments = {arguments[0], arguments[1]}, .scale = 1e-3};
    const struct bench_side limit = {.run = run_direct, .context = hand, .name = "direct"};
    const struct bench_side loop = {.run = run_bare_launch, .context = hand, .name = "a bare loop"};
    struct bench_record model = {
        .experiment = "activation", .param = (double)hand->pair.shape.work, .unit = "us/token"};
    int status;
    hand->found = dal_calloc(CHECKED_TOKENS, sizeof(*hand->found));
    if (!hand->found)
        return DAL_ERR_NOMEM;
    snprintf(model.name, sizeof(model.name), "capacity %ld", hand->capacity);
    status = compare_with(bench, hand, &ours, arguments, &model, &limit);
    if (status || hand->capacity < MOST_CAPACITY || bench->effort.thesis)
        return status;
    ours.scale = 0.5e-3;
    model.unit = "us/launch";
    snprintf(model.name, sizeof(model.name), "one launch, capacity %ld", hand->capacity);
    return compare_with(bench, hand, &ours, arguments, &model, &loop);
}

static int measure_capacity(struct bench *bench, long capacity, long work)
{
    struct by_hand hand = {.capacity = capacity};
    char *program = NULL;
    int status = init_by_hand(bench, &hand, work);
    if (!status)
        status = synthesise(bench, &hand, &program);
    if (!status)
        status = compare_ways(bench, &hand, program);
    dal_free(program);
    finish_by_hand(&hand);
    return status;
}

/* ---- policies of the task queue -------------------------------------------------------------- */

enum {
    SHORTS = 16,
    PERIOD_US = 4000, /* much longer than all kernels take */
    IN_FLIGHT = 4,    /* launches: what is on the device already cannot be overtaken */
    LEAST_PERIODS = 16,
};

static int synthesise_policy(struct bench *bench, const char *policy, char **program)
{
    const struct bench_binding bindings[] = {
        {.process = "*", .processor = "core_0"},
        {.process = "Spread_*", .processor = "device_0", .group = "no"},
        {.process = "Add_*", .processor = "device_0", .group = "no"},
        {.process = "Gather_*", .processor = "device_0", .group = "no"},
        {0},
    };
    struct bench_network network = {
        .specification = "synthetic/policy.xml",
        .program = "policy",
        .output = policy,
        .variables = {{"shorts", SHORTS}, {"period", PERIOD_US}},
        .bindings = bindings,
        .policy = policy,
        .depth = IN_FLIGHT,
    };
    return bench_synthesise(bench, &network, program, NULL);
}

/* Times a policy and `fcfs` in turn. */
static int compare_policy(struct bench *bench, const char *policy, char *fcfs)
{
    long tokens = bench_tokens(bench, 2, PERIOD_US * 1e3, LEAST_PERIODS);
    char clock[BENCH_NAME], load[BENCH_NAME], skip[BENCH_NAME], *program = NULL;
    struct bench_program ours = {.bench = bench, .arguments = {clock, load, skip}, .scale = 1e-3};
    struct bench_program theirs = ours;
    const struct bench_side mine = {.run = bench_run_program, .context = &ours};
    const struct bench_side limit = {.run = bench_run_program, .context = &theirs, .name = "fcfs"};
    struct bench_record model = {.experiment = "activation", .param = SHORTS, .unit = "us"};
    int status = synthesise_policy(bench, policy, &program);
    snprintf(model.name, sizeof(model.name), "policy %s", policy);
    snprintf(clock, sizeof(clock), "Clock.tokens=%ld", tokens);
    snprintf(load, sizeof(load), "Load.tokens=%ld", tokens);
    snprintf(skip, sizeof(skip), "Late.skip=%ld", tokens / 4);
    ours.file = program;
    theirs.file = fcfs;
    if (!status)
        status = bench_compare(bench, &model, &mine, &limit, 1);
    dal_free(program);
    return status;
}

static int measure_policies(struct bench *bench)
{
    static const char *const policies[] = {"priority", "deadline", "level"};
    char *fcfs = NULL;
    int status = synthesise_policy(bench, "fcfs", &fcfs);
    for (size_t i = 0; !status && i < sizeof(policies) / sizeof(policies[0]); i++)
        status = compare_policy(bench, policies[i], fcfs);
    dal_free(fcfs);
    return status;
}

/* ---- the experiment -------------------------------------------------------------------------- */

int bench_activation(struct bench *bench)
{
    enum { QUICK = 1, THESIS = 2, TINY = 4 };
    static const struct {
        long number;
        int when;
    } capacities[] = {{1, QUICK | THESIS | TINY},
                      {2, QUICK},
                      {8, QUICK | THESIS},
                      {MOST_CAPACITY, QUICK | THESIS | TINY}},
      works[] = {{0, QUICK | THESIS | TINY},
                 {30, THESIS},
                 {100, QUICK | THESIS | TINY},
                 {300, THESIS},
                 {1000, THESIS},
                 {3000, QUICK | THESIS},
                 {10000, THESIS},
                 {30000, QUICK | THESIS}};
    const struct bench_effort *effort = &bench->effort;
    int form = bench_is_tiny(bench) ? TINY : effort->thesis ? THESIS : effort->fine ? ~0 : QUICK;
    int status = DAL_OK;

    for (size_t i = 0; !status && i < sizeof(capacities) / sizeof(capacities[0]); i++)
        for (size_t k = 0; !status && k < sizeof(works) / sizeof(works[0]); k++)
            if ((capacities[i].when & form) && (works[k].when & form))
                status = measure_capacity(bench, capacities[i].number, works[k].number);
    if (!status && !effort->thesis)
        status = measure_policies(bench);
    return status;
}
