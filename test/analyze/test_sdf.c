/*
 * The analysis: known graphs, random ones against exhaustive search and firing one by one, and
 * large ones within a time.
 */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/analyse/graph.h"
#include "spec/sdf/search.h"
#include "test/analyze/sdf_build.h"
#include "test/suite.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int live(const struct dal_spec *spec, const uint64_t *capacity)
{
    struct dal_diags diags;
    int status;
    dal_diags_init(&diags);
    status = dal_spec_live(&diags, &spec->network, capacity);
    CU_ASSERT_EQUAL(diags.errors > 0, status != DAL_OK);
    dal_diags_finish(&diags);
    return status == DAL_OK;
}

/* Known graphs */

struct known {
    const char *name;
    size_t processes, channels;
    struct edge edges[8];
    uint64_t repetitions[8];
    uint64_t capacity[8]; /* the smallest that is live, for graphs without cycles */
};

static const struct known known_graphs[] = {
    {.name = "samplerate",
     .processes = 6,
     .channels = 5,
     .edges = {{0, 1, 1, 1, 0}, {1, 2, 2, 3, 0}, {2, 3, 2, 7, 0}, {3, 4, 8, 7, 0}, {4, 5, 5, 1, 0}},
     .repetitions = {147, 147, 98, 28, 32, 160},
     .capacity = {1, 4, 8, 14, 5}},
    {.name = "h263decoder",
     .processes = 4,
     .channels = 3,
     .edges = {{0, 1, 594, 1, 0}, {1, 2, 1, 1, 0}, {2, 3, 1, 594, 0}},
     .repetitions = {1, 594, 594, 1},
     .capacity = {594, 1, 594}},
};

static void check_known(const struct known *graph)
{
    struct dal_spec *spec = build_spec(graph->processes, graph->edges, graph->channels);
    uint64_t capacity[8];
    CU_ASSERT_EQUAL(repetitions(spec), DAL_OK);
    for (size_t i = 0; i < graph->processes; i++)
        CU_ASSERT_EQUAL(spec->network.processes[i].repetitions, graph->repetitions[i]);
    for (size_t i = 0; i < graph->channels; i++)
        CU_ASSERT_EQUAL(dal_spec_least_capacity(&spec->network.channels[i]), graph->capacity[i]);
    memcpy(capacity, graph->capacity, sizeof(capacity));
    CU_ASSERT(live(spec, capacity));
    for (size_t i = 0; i < graph->channels; i++) {
        capacity[i]--;
        CU_ASSERT(!live(spec, capacity));
        capacity[i]++;
    }
    dal_spec_destroy(spec);
}

static void test_known(void)
{
    for (size_t i = 0; i < sizeof(known_graphs) / sizeof(known_graphs[0]); i++)
        check_known(&known_graphs[i]);
}

/* Z A B C D: consistent, and yet it deadlocks until C->A has two tokens. */
static void test_deadlock(void)
{
    struct edge edges[] = {{0, 1, 1, 1, 0}, {1, 2, 2, 3, 0}, {2, 1, 3, 2, 6},
                           {2, 3, 3, 2, 0}, {3, 4, 1, 1, 0}, {3, 1, 1, 1, 1}};
    static const uint64_t wanted[] = {3, 3, 2, 3, 3};
    uint64_t capacity[6];
    struct dal_diags diags;
    struct dal_spec *spec = build_spec(5, edges, 6);
    int advised = 0;
    memset(capacity, 0xff, sizeof(capacity));
    dal_diags_init(&diags);
    CU_ASSERT_EQUAL(repetitions(spec), DAL_OK);
    for (size_t i = 0; i < 5; i++)
        CU_ASSERT_EQUAL(spec->network.processes[i].repetitions, wanted[i]);
    CU_ASSERT_EQUAL(dal_spec_live(&diags, &spec->network, capacity), DAL_ERR_INVALID);
    CU_ASSERT_EQUAL(diags.errors, 1);
    for (size_t i = 0; i < diags.count; i++)
        advised |= strstr(diags.list[i].message, "initialtokens=\"2\" on sw_channel 'c5'") != NULL;
    CU_ASSERT(advised);
    dal_diags_finish(&diags);
    spec->network.channels[5].initial_tokens = 2;
    CU_ASSERT(live(spec, capacity));
    dal_spec_destroy(spec);
}

/* Two components, one of a single process. */
static void test_components(void)
{
    const struct edge edges[] = {{0, 2, 6, 4, 0}, {3, 3, 5, 5, 5}};
    static const uint64_t wanted[] = {2, 1, 3, 1};
    struct dal_spec *spec = build_spec(4, edges, 2);
    CU_ASSERT_EQUAL(repetitions(spec), DAL_OK);
    for (size_t i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(spec->network.processes[i].repetitions, wanted[i]);
    dal_spec_destroy(spec);
}

/* The cycle is named, and each contradiction once a component. */
static void test_inconsistent(void)
{
    const struct edge edges[] = {{0, 1, 2, 1, 0}, {1, 2, 3, 1, 0}, {2, 0, 1, 5, 9},
                                 {0, 2, 1, 1, 0}, {3, 4, 1, 1, 0}, {3, 4, 1, 2, 0}};
    struct dal_spec *spec = build_spec(5, edges, 6);
    struct dal_diags diags;
    int product = 0;
    dal_diags_init(&diags);
    CU_ASSERT_EQUAL(dal_spec_repetitions(&diags, &spec->network), DAL_ERR_INVALID);
    CU_ASSERT_EQUAL(diags.errors, 2);
    for (size_t i = 0; i < diags.count; i++)
        product |= strstr(diags.list[i].message, "multiply to 2, those at the far ends to 1") ||
                   strstr(diags.list[i].message, "multiply to 1, those at the far ends to 2");
    CU_ASSERT(product);
    dal_diags_finish(&diags);
    dal_spec_destroy(spec);
}

static void test_overflow(void)
{
    struct edge edges[40];
    struct dal_spec *spec;
    for (size_t i = 0; i < 40; i++)
        edges[i] = (struct edge){.from = i, .to = i + 1, .produce = 3, .consume = 2};
    spec = build_spec(40, edges, 39);
    CU_ASSERT_EQUAL(repetitions(spec), DAL_OK);
    CU_ASSERT_EQUAL(spec->network.processes[0].repetitions, (uint64_t)1 << 39);
    CU_ASSERT_EQUAL(spec->network.processes[39].repetitions, UINT64_C(4052555153018976267));
    dal_spec_destroy(spec);
    spec = build_spec(41, edges, 40);
    CU_ASSERT_EQUAL(repetitions(spec), DAL_ERR_INVALID);
    dal_spec_destroy(spec);
}

/* Random graphs */

/* A connected graph: a random tree and some more channels. */
static size_t random_edges(struct edge *edges, size_t processes, uint64_t rates, uint64_t tokens)
{
    size_t count = processes - 1 + below(3);
    for (size_t i = 0; i < count; i++) {
        size_t a = i + 1 < processes ? i + 1 : below(processes);
        size_t b = i + 1 < processes ? below(i + 1) : below(processes);
        int forward = below(2) == 0;
        edges[i] = (struct edge){.from = forward ? a : b,
                                 .to = forward ? b : a,
                                 .produce = 1 + below(rates),
                                 .consume = 1 + below(rates),
                                 .initial = below(tokens)};
    }
    return count;
}

static int balanced(const struct edge *edges, size_t count, const uint64_t *q)
{
    for (size_t i = 0; i < count; i++)
        if (q[edges[i].from] * edges[i].produce != q[edges[i].to] * edges[i].consume)
            return 0;
    return 1;
}

/* The smallest positive vector by trying all up to `limit`; 0 when there is none. */
static int search(const struct edge *edges, size_t count, size_t processes, uint64_t limit,
                  uint64_t *q)
{
    for (size_t i = 0; i < processes; i++)
        q[i] = 1;
    while (!balanced(edges, count, q)) {
        size_t i = 0;
        while (i < processes && q[i] == limit)
            q[i++] = 1;
        if (i == processes)
            return 0;
        q[i]++;
    }
    return 1;
}

static void test_random_repetitions(void)
{
    const uint64_t limit = 12;
    size_t found = 0, refused = 0;
    for (int round = 0; round < 3000; round++) {
        size_t processes = 2 + below(3);
        struct edge edges[8];
        size_t count = random_edges(edges, processes, 4, 1);
        struct dal_spec *spec = build_spec(processes, edges, count);
        int status = repetitions(spec);
        uint64_t q[4], most = 0;
        for (size_t i = 0; i < processes && !status; i++)
            if (spec->network.processes[i].repetitions > most)
                most = spec->network.processes[i].repetitions;
        if (search(edges, count, processes, limit, q)) {
            found++;
            CU_ASSERT_EQUAL(status, DAL_OK);
            for (size_t i = 0; i < processes; i++)
                CU_ASSERT_EQUAL(spec->network.processes[i].repetitions, q[i]);
        } else {
            refused += status != DAL_OK;
            CU_ASSERT(status != DAL_OK || most > limit);
        }
        dal_spec_destroy(spec);
    }
    CU_ASSERT(found > 500);
    CU_ASSERT(refused > 100);
}

/* Fires any process that can, once, until none can. Returns whether the iteration is complete. */
static int fire_one_by_one(const struct dal_spec_network *network, const uint64_t *capacity)
{
    uint64_t tokens[8], left[8], total = 0;
    int fired = 1;
    for (size_t i = 0; i < network->channel_count; i++)
        tokens[i] = network->channels[i].initial_tokens;
    for (size_t i = 0; i < network->process_count; i++)
        total += left[i] = network->processes[i].repetitions;
    while (fired) {
        fired = 0;
        for (size_t i = 0; i < network->process_count; i++) {
            int can = left[i] > 0;
            for (size_t k = 0; k < network->channel_count; k++) {
                const struct dal_spec_channel *channel = &network->channels[k];
                if (channel->producer->number == i && capacity[k] - tokens[k] < channel->rate_in)
                    can = 0;
                if (channel->consumer->number == i && tokens[k] < channel->rate_out)
                    can = 0;
            }
            for (size_t k = 0; k < network->channel_count && can; k++) {
                const struct dal_spec_channel *channel = &network->channels[k];
                tokens[k] += channel->producer->number == i ? channel->rate_in : 0;
                tokens[k] -= channel->consumer->number == i ? channel->rate_out : 0;
            }
            fired |= can;
            left[i] -= (uint64_t)can;
            total -= (uint64_t)can;
        }
    }
    return total == 0;
}

static void test_random_live(void)
{
    size_t alive = 0, dead = 0;
    for (int round = 0; round < 6000; round++) {
        size_t processes = 2 + below(4);
        struct edge edges[8];
        size_t count = random_edges(edges, processes, 3, 4);
        struct dal_spec *spec = build_spec(processes, edges, count);
        uint64_t capacity[8];
        for (size_t i = 0; i < count; i++)
            capacity[i] = dal_spec_least_capacity(&spec->network.channels[i]) + below(2);
        if (repetitions(spec) == DAL_OK) {
            int wanted = fire_one_by_one(&spec->network, capacity);
            CU_ASSERT_EQUAL(live(spec, capacity), wanted);
            alive += (size_t)wanted;
            dead += !wanted;
        }
        dal_spec_destroy(spec);
    }
    CU_ASSERT(alive > 1000);
    CU_ASSERT(dead > 100);
}

/* On its own a channel is live with the least capacity, and with one less it is not. */
static void test_least_capacity(void)
{
    for (uint64_t p = 1; p <= 7; p++)
        for (uint64_t c = 1; c <= 7; c++)
            for (uint64_t d = 0; d <= 12; d++) {
                const struct edge edge = {0, 1, p, c, d};
                struct dal_spec *spec = build_spec(2, &edge, 1);
                uint64_t capacity = dal_spec_least_capacity(&spec->network.channels[0]);
                repetitions(spec);
                CU_ASSERT(capacity >= d);
                CU_ASSERT(fire_one_by_one(&spec->network, &capacity));
                CU_ASSERT(live(spec, &capacity));
                if (--capacity >= d) {
                    CU_ASSERT(!fire_one_by_one(&spec->network, &capacity));
                    CU_ASSERT(!live(spec, &capacity));
                }
                dal_spec_destroy(spec);
            }
}

/* A process that feeds itself needs room for what it writes beside what it reads. */
static void test_self_loop(void)
{
    const struct edge edge = {0, 0, 3, 3, 4};
    struct dal_spec *spec = build_spec(1, &edge, 1);
    uint64_t capacity = dal_spec_least_capacity(&spec->network.channels[0]);
    CU_ASSERT_EQUAL(capacity, 7);
    CU_ASSERT_EQUAL(repetitions(spec), DAL_OK);
    CU_ASSERT(live(spec, &capacity));
    capacity--;
    CU_ASSERT(!live(spec, &capacity));
    dal_spec_destroy(spec);
}

/* Large graphs */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* 10,000 processes on a ladder of 20,000 channels, rates up and down. */
static void test_many(void)
{
    const size_t processes = 10000, channels = 20000;
    struct edge *edges = dal_calloc(channels, sizeof(*edges));
    uint64_t *capacity = dal_calloc(channels, sizeof(*capacity));
    struct dal_spec *spec;
    double start;
    for (size_t i = 0; i < processes; i++) {
        size_t next = (i + 1) % processes;
        uint64_t here = 1 + i % 3, there = 1 + next % 3;
        edges[2 * i] = (struct edge){i, next, 6 / here, 6 / there, next ? 0 : 12};
        edges[2 * i + 1] = (struct edge){next, i, 6 / there, 6 / here, next ? 12 : 0};
    }
    spec = build_spec(processes, edges, channels);
    for (size_t i = 0; i < channels; i++)
        capacity[i] = UINT64_MAX;
    start = seconds();
    CU_ASSERT_EQUAL(repetitions(spec), DAL_OK);
    for (size_t i = 0; i < processes; i++)
        CU_ASSERT_EQUAL(spec->network.processes[i].repetitions, 1 + i % 3);
    CU_ASSERT(live(spec, capacity));
    CU_ASSERT(seconds() - start < 5);
    dal_spec_destroy(spec);
    dal_free(edges);
    dal_free(capacity);
}

/* Repetitions of a million, also with capacities that let one token through at a time. */
static void test_large_repetitions(void)
{
    const struct edge edges[] = {{0, 1, 1000000, 1, 0}, {1, 2, 1, 1, 0}, {2, 3, 1, 1000000, 0}};
    uint64_t capacity[] = {1000000, 1, 1000000};
    struct dal_spec *spec = build_spec(4, edges, 3);
    double start = seconds();
    CU_ASSERT_EQUAL(repetitions(spec), DAL_OK);
    CU_ASSERT_EQUAL(spec->network.processes[2].repetitions, 1000000);
    CU_ASSERT(live(spec, capacity));
    capacity[2]--;
    CU_ASSERT(!live(spec, capacity));
    CU_ASSERT(seconds() - start < 20);
    dal_spec_destroy(spec);
}

/* Either of two entries may grow, at the same cost, and one is enough. */
static int look_at_one_of_two(void *context, const uint64_t *vector, uint64_t total,
                              struct dal__branch *branches, size_t *count)
{
    memcpy(context, vector, 2 * sizeof(*vector));
    branches[0] = (struct dal__branch){.at = 0, .more = 1};
    branches[1] = (struct dal__branch){.at = 1, .more = 1};
    *count = 2;
    return total > 0;
}

/* Of vectors that cost the same, the search looks first at the one that came first. */
static void test_equal_costs(void)
{
    const uint64_t weight[] = {1, 1}, start[] = {0, 0};
    uint64_t found[] = {0, 0};
    struct dal_sdf_budget budget = {.work = UINT64_MAX};
    struct dal__search search = {.size = 2,
                                 .weight = weight,
                                 .limit = UINT64_MAX,
                                 .budget = &budget,
                                 .context = found,
                                 .look = look_at_one_of_two};
    CU_ASSERT_EQUAL(dal__search_run(&search, start, 0), 1);
    CU_ASSERT_EQUAL(found[0], 1);
    CU_ASSERT_EQUAL(found[1], 0);
}

int main(void)
{
    static const struct test tests[] = {
        {"known graphs", test_known},
        {"a consistent graph that deadlocks", test_deadlock},
        {"components", test_components},
        {"inconsistent rates", test_inconsistent},
        {"overflow", test_overflow},
        {"random graphs: repetitions", test_random_repetitions},
        {"random graphs: liveness", test_random_live},
        {"least capacity", test_least_capacity},
        {"self-loop", test_self_loop},
        {"10,000 processes", test_many},
        {"a million repetitions", test_large_repetitions},
        {"equal costs", test_equal_costs},
    };
    return run_suite("sdf", tests, sizeof(tests) / sizeof(tests[0]));
}
