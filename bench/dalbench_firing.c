/*
 * firing: Source, eight times Identity, Sink; what does a firing cost? Identity copies a token, or
 * adds one to each of its words.
 *
 * Each limit calls the functions of apps/synthetic/pass.h. On one core, a loop fires each process
 * once a token. On two cores there are two limits. In the first, two such loops have a
 * single-producer single-consumer ring between them. In the second, a loop on each core carries a
 * token through all processes, with tickets to keep Source and Sink in order. A copy has a buffer
 * for each channel. Adding has two buffers, between which a token goes back and forth.
 */
#include "bench/dalbench.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"

#include "pass.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { STAGES = 8, FIRINGS = STAGES + 2, LINE = 64, SPINS = 64 };

/* The processes for one size of token, as functions to call. */
struct stages {
    long bytes;
    void (*source)(unsigned char *out, uint32_t number);
    void (*passes[2])(unsigned char *out, const unsigned char *in); /* by source of Identity */
    uint64_t (*sink)(const unsigned char *in);
};

#define STAGES_FOR(BYTES)                                                                          \
    static __attribute__((noinline)) void source_##BYTES(unsigned char *out, uint32_t number)      \
    {                                                                                              \
        pass_source(out, BYTES, number);                                                           \
    }                                                                                              \
    static __attribute__((noinline)) void identity_##BYTES(unsigned char *out,                     \
                                                           const unsigned char *in)                \
    {                                                                                              \
        pass_identity(out, in, BYTES);                                                             \
    }                                                                                              \
    static __attribute__((noinline)) void increment_##BYTES(unsigned char *out,                    \
                                                            const unsigned char *in)               \
    {                                                                                              \
        pass_increment(out, in, BYTES);                                                            \
    }                                                                                              \
    static __attribute__((noinline)) uint64_t sink_##BYTES(const unsigned char *in)                \
    {                                                                                              \
        return pass_sink(in, BYTES);                                                               \
    }
#define STAGES_ENTRY(BYTES)                                                                        \
    {BYTES, source_##BYTES, {identity_##BYTES, increment_##BYTES}, sink_##BYTES},
#define SIZES(X) X(4) X(64) X(1024) X(4096) X(65536) X(1048576)
SIZES(STAGES_FOR)
static const struct stages all_stages[] = {SIZES(STAGES_ENTRY)};

struct by_hand {
    const struct bench *bench;
    const struct stages *stages;
    void (*identity)(unsigned char *out, const unsigned char *in);
    long buffers; /* buffers that a core uses */
    long tokens, capacity;
    unsigned char *memory; /* FIRINGS buffers of a token for each core, then the ring */
    uint64_t sum;
    /* the ring: indices of producer and consumer, a cache line each */
    _Alignas(LINE) atomic_long sent;
    _Alignas(LINE) atomic_long taken;
    /* tickets: the next token for Source, and for Sink */
    _Alignas(LINE) atomic_long source_turn;
    _Alignas(LINE) atomic_long sink_turn;
};

static unsigned char *token_buffer(struct by_hand *hand, int core, long k)
{
    long buffer = core * FIRINGS + k % hand->buffers;
    return hand->memory + (size_t)buffer * (size_t)hand->stages->bytes;
}

static unsigned char *ring_slot(struct by_hand *hand, long number)
{
    long buffer = 2 * FIRINGS + number % hand->capacity;
    return hand->memory + (size_t)buffer * (size_t)hand->stages->bytes;
}

static void relax(int *spins)
{
    if (++*spins > SPINS)
        sched_yield();
#if defined(__x86_64__) || defined(__i386__)
    else
        __builtin_ia32_pause();
#endif
}

/* ---- one core -------------------------------------------------------------------------------- */

static void loop_one_core(struct by_hand *hand, int core)
{
    const struct stages *s = hand->stages;
    uint64_t sum = 0;
    (void)core;
    for (long n = 0; n < hand->tokens; n++) {
        s->source(token_buffer(hand, 0, 0), (uint32_t)n);
        for (int k = 0; k < STAGES; k++)
            hand->identity(token_buffer(hand, 0, k + 1), token_buffer(hand, 0, k));
        sum += s->sink(token_buffer(hand, 0, STAGES));
    }
    hand->sum = sum;
}

/* ---- two cores: a ring ----------------------------------------------------------------------- */

static void first_half(struct by_hand *hand, int core)
{
    const struct stages *s = hand->stages;
    long taken = 0;
    int k;
    (void)core;
    for (long n = 0; n < hand->tokens; n++) {
        int spins = 0;
        s->source(token_buffer(hand, 0, 0), (uint32_t)n);
        for (k = 0; k < STAGES / 2 - 1; k++)
            hand->identity(token_buffer(hand, 0, k + 1), token_buffer(hand, 0, k));
        while (n - taken >= hand->capacity) {
            taken = atomic_load_explicit(&hand->taken, memory_order_acquire);
            if (n - taken >= hand->capacity)
                relax(&spins);
        }
        hand->identity(ring_slot(hand, n), token_buffer(hand, 0, k));
        atomic_store_explicit(&hand->sent, n + 1, memory_order_release);
    }
}

static void second_half(struct by_hand *hand, int core)
{
    const struct stages *s = hand->stages;
    uint64_t sum = 0;
    long sent = 0;
    int k;
    (void)core;
    for (long n = 0; n < hand->tokens; n++) {
        int spins = 0;
        while (sent == n) {
            sent = atomic_load_explicit(&hand->sent, memory_order_acquire);
            if (sent == n)
                relax(&spins);
        }
        hand->identity(token_buffer(hand, 1, 0), ring_slot(hand, n));
        atomic_store_explicit(&hand->taken, n + 1, memory_order_release);
        for (k = 0; k < STAGES / 2 - 1; k++)
            hand->identity(token_buffer(hand, 1, k + 1), token_buffer(hand, 1, k));
        sum += s->sink(token_buffer(hand, 1, k));
    }
    hand->sum = sum;
}

/* ---- two cores: a token through everything --------------------------------------------------- */

static void carry_tokens(struct by_hand *hand, int core)
{
    const struct stages *s = hand->stages;
    for (;;) {
        int spins = 0;
        long n = atomic_fetch_add_explicit(&hand->source_turn, 1, memory_order_relaxed);
        if (n >= hand->tokens)
            return;
        s->source(token_buffer(hand, core, 0), (uint32_t)n);
        for (int k = 0; k < STAGES; k++)
            hand->identity(token_buffer(hand, core, k + 1), token_buffer(hand, core, k));
        while (atomic_load_explicit(&hand->sink_turn, memory_order_acquire) != n)
            relax(&spins);
        hand->sum += s->sink(token_buffer(hand, core, STAGES));
        atomic_store_explicit(&hand->sink_turn, n + 1, memory_order_release);
    }
}

/* ---- sides ----------------------------------------------------------------------------------- */

/* The work of a thread, and its core. */
struct part {
    struct by_hand *hand;
    void (*run)(struct by_hand *hand, int core);
    int core;
};

static void *run_part(void *context)
{
    struct part *part = context;
    dal_core_pin(part->hand->bench->cores.numbers[part->core]);
    part->run(part->hand, part->core);
    return NULL;
}

/* Runs on one core or two. The value is ns a firing. */
static int run_parts(struct by_hand *hand, struct bench_result *result,
                     void (*first)(struct by_hand *, int), void (*second)(struct by_hand *, int))
{
    struct part parts[] = {{.hand = hand, .run = first, .core = 0},
                           {.hand = hand, .run = second, .core = 1}};
    pthread_t threads[2];
    int64_t start;
    hand->sum = 0;
    atomic_store(&hand->sent, 0);
    atomic_store(&hand->taken, 0);
    atomic_store(&hand->source_turn, 0);
    atomic_store(&hand->sink_turn, 0);
    start = dal_now_ns();
    if (pthread_create(&threads[0], NULL, run_part, &parts[0]) != 0)
        return DAL_ERR_SYSTEM;
    if (second && pthread_create(&threads[1], NULL, run_part, &parts[1]) != 0) {
        dal_log(DAL_LOG_ERROR, "no second thread");
        return DAL_ERR_SYSTEM; /* the first thread waits for ever: the program ends with it */
    }
    pthread_join(threads[0], NULL);
    if (second)
        pthread_join(threads[1], NULL);
    result->value = (double)(dal_now_ns() - start) / (double)hand->tokens / FIRINGS;
    result->sum = hand->sum;
    result->has_sum = 1;
    return DAL_OK;
}

static int run_loop(void *context, struct bench_result *result)
{
    return run_parts(context, result, loop_one_core, NULL);
}

static int run_ring(void *context, struct bench_result *result)
{
    return run_parts(context, result, first_half, second_half);
}

static int run_tickets(void *context, struct bench_result *result)
{
    return run_parts(context, result, carry_tokens, carry_tokens);
}

/* ---- the experiment -------------------------------------------------------------------------- */

static const struct bench_binding one_core[] = {{.process = "*", .processor = "core_0"}, {0}};
static const struct bench_binding two_cores[] = {
    {.process = "*", .processor = "core_0"},
    {.process = "Identity_4", .processor = "core_1"},
    {.process = "Identity_5", .processor = "core_1"},
    {.process = "Identity_6", .processor = "core_1"},
    {.process = "Identity_7", .processor = "core_1"},
    {.process = "Sink", .processor = "core_1"},
    {0},
};
static const struct bench_binding either_core[] = {{.process = "*", .processor = "core_0 core_1"},
                                                   {0}};
#define ADDING_AT(NUMBER, CORES)                                                                   \
    {                                                                                              \
        .process = "Identity_" #NUMBER, .source = 1, .processor = (CORES)                          \
    }
#define ADDING_ON(CORES)                                                                           \
    {                                                                                              \
        {.process = "*", .processor = (CORES)}, ADDING_AT(0, CORES), ADDING_AT(1, CORES),          \
            ADDING_AT(2, CORES), ADDING_AT(3, CORES), ADDING_AT(4, CORES), ADDING_AT(5, CORES),    \
            ADDING_AT(6, CORES), ADDING_AT(7, CORES),                                              \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
static const struct bench_binding adding_on_one[] = ADDING_ON("core_0");
static const struct bench_binding adding_on_either[] = ADDING_ON("core_0 core_1");

/* Mappings of the chain. */
static const struct way {
    const char *name;
    int cores;
    const struct bench_binding *bindings;
    int copies;    /* of Identity */
    long smallest; /* bytes of a token */
    int source;    /* of Identity: 0 copies, 1 adds */
    long buffers;  /* of the way by hand, on a core */
} ways[] = {
    {"one core", 1, one_core, 1, 4, 0, FIRINGS},
    {"one core, adding", 1, adding_on_one, 1, 4, 1, 2},
    {"two cores", 2, two_cores, 1, 4, 0, FIRINGS},
    {"two cores, shadow copies", 2, either_core, 2, 4096, 0, FIRINGS},
    {"two cores, shadow copies, adding", 2, adding_on_either, 2, 4096, 1, 2},
};

/* Returns the capacity in tokens: 64 KiB a channel, but at least 2. */
static long capacity_for(long bytes)
{
    long capacity = 65536 / bytes;
    return capacity > 4096 ? 4096 : capacity < 2 ? 2 : capacity;
}

/* Sets the tokens to those that take long enough on the slower side. */
static int set_tokens(struct bench *bench, struct by_hand *hand)
{
    struct bench_result probe;
    int status;
    hand->tokens = 1000000 / hand->stages->bytes + 64;
    status = run_loop(hand, &probe);
    if (!status)
        hand->tokens = bench_tokens(bench, 1, probe.value * FIRINGS, 1);
    return status;
}

static int compare_way(struct bench *bench, struct by_hand *hand, const char *program,
                       const struct way *way)
{
    const struct bench_side limits[] = {
        {.run = run_loop, .context = hand},
        {.run = run_ring, .context = hand, .name = "a ring"},
        {.run = run_tickets, .context = hand, .name = "a token-parallel loop"},
    };
    struct bench_record model = {
        .experiment = "firing", .param = (double)hand->stages->bytes, .unit = "ns/firing"};
    char tokens[BENCH_NAME];
    struct bench_program ours = {
        .bench = bench, .file = program, .arguments = {tokens}, .scale = 1.0 / FIRINGS};
    const struct bench_side mine = {.run = bench_run_program, .context = &ours};
    snprintf(model.name, sizeof(model.name), "%s", way->name);
    snprintf(tokens, sizeof(tokens), "Source.tokens=%ld", hand->tokens);
    return bench_compare(bench, &model, &mine, way->cores == 1 ? limits : limits + 1, way->cores);
}

/* Adds the same figures as rates of all channels together. */
static int add_rate(struct bench *bench, size_t from)
{
    size_t end = bench->record_count;
    int status = DAL_OK;
    for (size_t i = from; !status && i < end; i++) {
        struct bench_record r = bench->records[i];
        double bytes = r.param * (FIRINGS - 1) / FIRINGS;
        r.unit = "GB/s";
        r.rate = 1;
        r.value = bytes / bench->records[i].value;
        r.value_min = bytes / bench->records[i].value_max;
        r.value_max = bytes / bench->records[i].value_min;
        r.limit = bytes / bench->records[i].limit;
        r.limit_min = bytes / bench->records[i].limit_max;
        r.limit_max = bytes / bench->records[i].limit_min;
        status = bench_add(bench, &r);
    }
    return status;
}

static int measure_way(struct bench *bench, const struct stages *stages, const struct way *way)
{
    struct by_hand hand = {.bench = bench,
                           .stages = stages,
                           .identity = stages->passes[way->source],
                           .buffers = way->buffers,
                           .capacity = capacity_for(stages->bytes)};
    struct bench_network network = {
        .specification = "synthetic/firing.xml",
        .program = "firing",
        .variables = {{"stages", STAGES},
                      {"tokenbytes", stages->bytes},
                      {"capacity", hand.capacity},
                      {"copies", way->copies}},
        .bindings = way->bindings,
    };
    size_t bytes = (size_t)(2 * FIRINGS + hand.capacity) * (size_t)stages->bytes;
    char *program = NULL;
    size_t from = bench->record_count;
    int status = DAL_ERR_NOMEM;
    hand.memory = dal_alloc_aligned(4096, bytes);
    if (hand.memory) {
        memset(hand.memory, 1, bytes);
        status = bench_synthesise(bench, &network, &program, NULL);
    }
    if (!status)
        status = set_tokens(bench, &hand);
    if (!status)
        status = compare_way(bench, &hand, program, way);
    if (!status)
        status = add_rate(bench, from);
    dal_free(program);
    dal_free(hand.memory);
    return status;
}

int bench_firing(struct bench *bench)
{
    int status = DAL_OK;
    for (size_t k = 0; k < sizeof(ways) / sizeof(ways[0]); k++) {
        if ((size_t)ways[k].cores > bench->cores.count) {
            bench_say("firing: one core alone, nothing on two");
            break;
        }
        for (size_t i = 0; !status && i < sizeof(all_stages) / sizeof(all_stages[0]); i++)
            if (all_stages[i].bytes >= ways[k].smallest)
                status = measure_way(bench, &all_stages[i], &ways[k]);
    }
    return status;
}
