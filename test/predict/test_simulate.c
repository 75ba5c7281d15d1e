/*
 * The simulator of mapped networks: random networks whose processes have all the cores they want
 * against the analysis (spec/sdf/time.h), and small ones on a few cores against what can be said by
 * hand.
 */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/analyse/graph.h"
#include "test/analyze/sdf_sample.h"
#include "test/predict/sim_model.h"
#include "test/suite.h"

#include <math.h>

enum { SAMPLES = 2000 };

/* ---- against the analysis -------------------------------------------------------------------- */

static int tell(const struct sample *sample, struct dal_sdf_period period, double found)
{
    printf("\n%zu processes, %zu channels: period %llu/%llu (verdict %d), simulated %g\n",
           sample->processes, sample->count, (unsigned long long)period.over,
           (unsigned long long)period.under, (int)period.verdict, found);
    return 0;
}

static int agrees(const struct sample *sample, struct dal_sdf_period period, double found)
{
    double wanted = (double)period.over / (double)(period.under ? period.under : 1);
    if (period.verdict == DAL_SDF_DEADLOCK)
        return isinf(found) || tell(sample, period, found);
    return fabs(found - wanted) <= 0.005 * wanted || tell(sample, period, found);
}

/* Returns whether the analysis has a period to compare with, or a deadlock. */
static int compare_sample(const struct sample *sample)
{
    static struct model m;
    struct dal_spec *spec = build_spec(sample->processes, sample->edges, sample->count);
    struct dal_sdf_budget budget = {.work = (uint64_t)1 << 24};
    struct dal_sdf_period period;
    struct dal_sdf_graph graph;
    uint64_t capacity[MOST];
    int compared;
    CU_ASSERT_EQUAL_FATAL(repetitions(spec), DAL_OK);
    CU_ASSERT_EQUAL_FATAL(dal_spec_graph_init(&graph, &spec->network, sample->times), DAL_OK);
    for (size_t i = 0; i < graph.channel_count; i++)
        capacity[i] = graph.channels[i].least + below(2) * below(12);
    make_model(&m, sample->processes, sample->edges, sample->count, sample->times, capacity);
    for (size_t i = 0; i < graph.process_count; i++) {
        graph.processes[i].at_once = m.actors[i].copies = 1 + below(3);
        m.processes[i].repetitions = graph.processes[i].repetitions;
    }
    CU_ASSERT_EQUAL(dal_sdf_period(&graph, capacity, &budget, &period), DAL_OK);
    compared = period.verdict == DAL_SDF_DEADLOCK ||
               (period.verdict == DAL_SDF_PERIODIC && period.over > 0);
    CU_ASSERT(!compared || agrees(sample, period, period_of(&m)));
    dal_sdf_graph_finish(&graph);
    dal_spec_destroy(spec);
    return compared;
}

static void test_random(void)
{
    int compared = 0;
    for (int i = 0; i < SAMPLES; i++) {
        struct sample sample;
        random_sample(&sample, 6, 3);
        compared += compare_sample(&sample);
    }
    CU_ASSERT(compared > SAMPLES / 2);
}

/* ---- on a few cores -------------------------------------------------------------------------- */

static const struct edge chain[] = {{0, 1, 1, 1, 0}, {1, 2, 1, 1, 0}};
static const uint64_t chain_times[] = {100, 300, 200};
static const uint64_t roomy[] = {64, 64, 64};
static const size_t all_servers[] = {0, 1, 2};

static void make_chain(struct model *m, const uint64_t *capacity)
{
    make_model(m, 3, chain, 2, chain_times, capacity);
}

static void bind(struct model *m, size_t process, size_t server)
{
    m->actors[process].servers = &m->servers[server];
    m->actors[process].server_count = 1;
}

static void check_period(struct model *m, double wanted)
{
    double found = period_of(m);
    if (fabs(found - wanted) > 0.005 * wanted)
        printf("\nperiod %g, not %g\n", found, wanted);
    CU_ASSERT_DOUBLE_EQUAL(found, wanted, 0.005 * wanted);
}

static void test_cores(void)
{
    static struct model m;
    make_chain(&m, roomy);
    for (size_t i = 0; i < 3; i++)
        bind(&m, i, 0);
    check_period(&m, 600); /* one core has all to do */
    bind(&m, 2, 1);
    check_period(&m, 400); /* two: the busier one */
    bind(&m, 1, 2);
    check_period(&m, 300); /* each its own */
}

/* Two that could always fire: neither waits for ever. */
static void test_turns(void)
{
    static const struct edge loops[] = {{0, 0, 1, 1, 1}, {1, 1, 1, 1, 1}};
    static const uint64_t two[] = {2, 2};
    static struct model m;
    make_model(&m, 2, loops, 2, chain_times, two);
    bind(&m, 0, 0);
    bind(&m, 1, 0);
    check_period(&m, 400);
}

static void test_capacity(void)
{
    static const uint64_t narrow[] = {1, 1};
    static struct model m;
    make_chain(&m, narrow);
    for (size_t i = 0; i < 3; i++)
        bind(&m, i, i);
    check_period(&m, 500); /* one token: who reads it and who makes it take turns */
}

/* A token has one place, from the first of the chain to the last. */
static void test_continued(void)
{
    static const uint64_t narrow[] = {1, 1};
    static struct model m;
    struct dal_sim_result result;
    make_chain(&m, narrow);
    for (size_t i = 0; i < 3; i++)
        bind(&m, i, i);
    m.sized[1].continues = 1;
    check_period(&m, 600);
    CU_ASSERT_EQUAL_FATAL(dal_sim_run(&m.sim, &result), DAL_OK);
    CU_ASSERT_DOUBLE_EQUAL(result.channel_fill[0], 1, 0.01);
    CU_ASSERT_EQUAL(result.channel_fill[1], 0);
    dal_sim_finish(&result);
    m.sized[0].given = 3;
    check_period(&m, 300);
}

static void test_copies(void)
{
    static struct model m;
    make_chain(&m, roomy);
    m.actors[2].firing_ns = 20;
    m.actors[0].copies = 2;
    m.actors[1].servers = all_servers;
    m.actors[1].server_count = m.actors[1].copies = 3;
    check_period(&m, 100); /* 300 ns on three cores */
    m.actors[1].copies = 2;
    check_period(&m, 150);
}

static void test_blocks(void)
{
    static struct model m;
    make_chain(&m, roomy);
    for (size_t i = 0; i < 3; i++) {
        bind(&m, i, 0);
        m.actors[i].fixed_ns = 1000;
        m.actors[i].most = 10;
    }
    check_period(&m, 900); /* 600, and a tenth of three activations */
}

static void test_delay(void)
{
    static const uint64_t four[] = {4, 4};
    static struct model m;
    make_chain(&m, four);
    for (size_t i = 0; i < 3; i++)
        bind(&m, i, i);
    m.sized[0].delay_ns = 1000;
    check_period(&m, 600); /* 4 tokens every 100 + 1000 + 300 + 1000 */
}

/* A token goes round: each server has nothing to do while the other is at work. */
static void test_sleep(void)
{
    static const struct edge round[] = {{0, 1, 1, 1, 0}, {1, 0, 1, 1, 1}};
    static const double wakes[] = {1000, 1000, 0};
    static struct model m;
    make_model(&m, 2, round, 2, chain_times, roomy);
    m.actors[1].firing_ns = 100;
    bind(&m, 0, 0);
    bind(&m, 1, 1);
    m.sim.wakes = wakes;
    m.sim.patience_ns = 50;
    check_period(&m, 2200);
    m.sim.patience_ns = 10000; /* awake: half of a look */
    m.sim.look_ns = 4;
    check_period(&m, 204);
    m.servers[2] = 2;
    m.sim.server_count = 3;
    bind(&m, 1, 2); /* a device does not sleep, nor does it look */
    check_period(&m, 202);
}

/* Of free cores that one has it which is awake; copies go round. */
static void test_free_cores(void)
{
    static const double wakes[] = {1000, 1000, 1000};
    static struct model m;
    struct dal_sim_result result;
    make_chain(&m, roomy);
    bind(&m, 0, 0);
    m.actors[1].servers = all_servers;
    m.actors[1].server_count = 3;
    m.actors[2].servers = NULL;
    m.actors[2].server_count = 0;
    m.actors[2].firing_ns = 0;
    m.actors[1].firing_ns = 100;
    m.sim.wakes = wakes;
    m.sim.patience_ns = 50;
    CU_ASSERT_EQUAL_FATAL(dal_sim_run(&m.sim, &result), DAL_OK);
    CU_ASSERT(result.server_busy[0] > 0.9); /* which has just made the token */
    CU_ASSERT(result.server_busy[2] < 0.1);
    dal_sim_finish(&result);
    m.actors[1].copies = 3;
    m.sim.patience_ns = 10000;
    CU_ASSERT_EQUAL_FATAL(dal_sim_run(&m.sim, &result), DAL_OK);
    CU_ASSERT(result.server_busy[2] > 0.2);
    dal_sim_finish(&result);
}

/* Whoever has freed space, or made tokens, looks first. The last one's core has time for it alone,
 * and also begins the first one each time, though the other core is free. */
static void test_looks_first(void)
{
    static const struct edge edges[] = {{0, 1, 1, 1, 0}};
    static struct model m;
    make_model(&m, 2, edges, 1, chain_times, roomy);
    m.actors[0].firing_ns = 100;
    m.actors[1].firing_ns = 300;
    m.actors[0].servers = all_servers;
    m.actors[0].server_count = 2;
    bind(&m, 1, 0);
    m.sim.server_count = 2;
    m.sized[0].delay_ns = 10;
    check_period(&m, 400);
    m.sized[0].delay_ns = 0;
    check_period(&m, 400);
    bind(&m, 0, 1);
    check_period(&m, 300);
}

/* A device of the core that makes its tokens: the core has what it leaves. */
static void test_taken(void)
{
    static const double all[] = {1, 0, 0}, half[] = {0.5, 0, 0};
    static struct model m;
    struct dal_sim_result result;
    make_chain(&m, roomy);
    bind(&m, 0, 0);
    bind(&m, 1, 1);
    m.actors[2].firing_ns = 1;
    m.actors[1].takes = all;
    m.actors[1].firing_counts = 1;
    check_period(&m, 400);
    CU_ASSERT_EQUAL_FATAL(dal_sim_run(&m.sim, &result), DAL_OK);
    CU_ASSERT_DOUBLE_EQUAL(result.server_busy[0], 1, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(result.server_busy[1], 0.75, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(result.actor_busy[0], 0.25, 0.01);
    dal_sim_finish(&result);
    m.actors[1].takes = half;
    check_period(&m, 300); /* 100 and 150 on the core */
    m.actors[1].takes = all;
    m.actors[1].fixed_ns = 200; /* of a launch, and half of it on the core */
    m.actors[1].fixed_counts = 0.5;
    check_period(&m, 500);
    m.actors[0].firing_ns = 250; /* the core has 250, 300 and 100 */
    check_period(&m, 650);
}

static void test_busy(void)
{
    static struct model m;
    struct dal_sim_result result;
    make_chain(&m, roomy);
    bind(&m, 0, 0);
    bind(&m, 1, 1);
    bind(&m, 2, 0);
    CU_ASSERT_EQUAL_FATAL(dal_sim_run(&m.sim, &result), DAL_OK);
    CU_ASSERT_DOUBLE_EQUAL(result.server_busy[0], 1.0, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(result.server_busy[1], 1.0, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(result.actor_busy[0], 1. / 3, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(result.actor_busy[2], 2. / 3, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(result.actor_block[1], 1, 1e-9);
    CU_ASSERT(result.settled);
    dal_sim_finish(&result);
    bind(&m, 1, 2);
    bind(&m, 2, 1);
    CU_ASSERT_EQUAL_FATAL(dal_sim_run(&m.sim, &result), DAL_OK);
    CU_ASSERT(result.channel_fill[0] > 60); /* before the slowest all is full, behind it empty */
    CU_ASSERT(result.channel_fill[1] < 2);
    dal_sim_finish(&result);
}

static void check_latency(struct model *m, struct dal_sim_path path, double mean, double most)
{
    struct dal_sim_result result;
    m->sim.paths = &path;
    m->sim.path_count = 1;
    CU_ASSERT_EQUAL_FATAL(dal_sim_run(&m->sim, &result), DAL_OK);
    if (fabs(result.latency[0].mean_ns - mean) > 0.005 * fabs(mean))
        printf("\nlatency %g, not %g\n", result.latency[0].mean_ns, mean);
    CU_ASSERT_DOUBLE_EQUAL(result.latency[0].mean_ns, mean, 0.005 * mean);
    CU_ASSERT_DOUBLE_EQUAL(result.latency[0].most_ns, most, 0.005 * most);
    dal_sim_finish(&result);
}

static void test_latency(void)
{
    static const struct edge pairs[] = {{0, 1, 1, 2, 0}}, early[] = {{0, 1, 1, 1, 2}};
    static struct model m;
    make_chain(&m, roomy);
    for (size_t i = 0; i < 3; i++)
        bind(&m, i, 0);
    check_latency(&m, (struct dal_sim_path){.to = 2}, 600, 600); /* in turn */
    make_model(&m, 2, pairs, 1, chain_times, roomy);
    m.processes[0].repetitions = 2;
    m.actors[1].firing_ns = 50;
    check_latency(&m, (struct dal_sim_path){.to = 1}, 250, 250); /* two firings, then one */
    make_model(&m, 2, early, 1, chain_times, roomy);
    m.actors[1].firing_ns = 100;
    check_latency(&m, (struct dal_sim_path){.to = 1}, 100, 100); /* it has its tokens already */
    check_latency(&m, (struct dal_sim_path){.from = 1}, 100, 100);
}

/* Little's law: what is in the channels is what comes in the time that it takes. */
static void test_queues(void)
{
    static const struct dal_sim_path path = {.to = 2};
    static struct model m;
    struct dal_sim_result result;
    make_chain(&m, roomy);
    m.sim.paths = &path;
    m.sim.path_count = 1;
    for (size_t i = 0; i < 3; i++)
        bind(&m, i, i);
    CU_ASSERT_EQUAL_FATAL(dal_sim_run(&m.sim, &result), DAL_OK);
    /* A firing of the second has its token in both. */
    CU_ASSERT_DOUBLE_EQUAL(
        result.latency[0].mean_ns,
        (result.channel_fill[0] + result.channel_fill[1]) * result.period_ns - 300, 30);
    CU_ASSERT(result.latency[0].mean_ns > 64 * 300);
    dal_sim_finish(&result);
}

/* Behind a deadlock, and where `to` has ended what `from` has not begun. */
static void test_no_latency(void)
{
    static const struct edge stuck[] = {{0, 1, 1, 1, 0}, {1, 0, 1, 1, 0}};
    static struct model m;
    make_model(&m, 2, stuck, 2, chain_times, roomy);
    check_latency(&m, (struct dal_sim_path){.to = 1}, -1, -1);
    make_chain(&m, roomy);
    check_latency(&m, (struct dal_sim_path){.from = 2}, 0, 0);
}

/* ---- releases -------------------------------------------------------------------------------- */

/* The chain's first is released every `period_ns`, for so many firings that take `firing_ns`. */
static void make_released(struct model *m, double period_ns, uint64_t firings, double firing_ns,
                          enum dal_overrun overrun)
{
    make_chain(m, roomy);
    m->actors[0].firing_ns = firing_ns;
    m->actors[0].periodic = (struct dal_sim_period){.period_ns = period_ns,
                                                    .phase_ns = 50,
                                                    .deadline_ns = period_ns,
                                                    .firings = firings,
                                                    .overrun = overrun};
    for (size_t i = 0; i < 3; i++)
        bind(m, i, i);
}

static void check_releases(struct model *m, double period_ns, double missed)
{
    struct dal_sim_result result;
    check_period(m, period_ns);
    CU_ASSERT_EQUAL_FATAL(dal_sim_run(&m->sim, &result), DAL_OK);
    CU_ASSERT_DOUBLE_EQUAL(result.actor_misses[0], missed, 0.01);
    CU_ASSERT_EQUAL(result.actor_misses[1], 0);
    dal_sim_finish(&result);
}

static void test_releases(void)
{
    static struct model m;
    make_released(&m, 1000, 1, 100, DAL_OVERRUN_DELAY);
    check_releases(&m, 1000, 0);
    check_latency(&m, (struct dal_sim_path){.to = 2}, 600, 600); /* nothing waits */
    make_released(&m, 1000, 2, 100, DAL_OVERRUN_SKIP);
    check_releases(&m, 500, 0);
    make_released(&m, 100, 1, 50, DAL_OVERRUN_CATCHUP);
    check_releases(&m, 300, 1); /* the second of the chain is slower */
}

/* What takes longer than the period: the next release, when it is through, or the next but one. */
static void test_overruns(void)
{
    static struct model m;
    make_released(&m, 400, 1, 500, DAL_OVERRUN_DELAY);
    check_releases(&m, 500, 1);
    make_released(&m, 400, 1, 500, DAL_OVERRUN_CATCHUP);
    check_releases(&m, 500, 1);
    make_released(&m, 400, 1, 500, DAL_OVERRUN_SKIP);
    check_releases(&m, 800, 1);
    m.actors[0].periodic.deadline_ns = 600;
    check_releases(&m, 800, 0);
}

/* Each allocation fails once. */
static void test_memory(void)
{
    static const struct dal_sim_path path = {.to = 2};
    static struct model m;
    struct dal_sim_result result;
    int status = DAL_ERR_NOMEM;
    make_chain(&m, roomy);
    m.sim.paths = &path;
    m.sim.path_count = 1;
    for (unsigned long n = 1; status == DAL_ERR_NOMEM; n++) {
        dal_alloc_fail_at(n);
        status = dal_sim_run(&m.sim, &result);
        dal_alloc_fail_at(0);
        dal_sim_finish(&result);
    }
    CU_ASSERT_EQUAL(status, DAL_OK);
}

int main(void)
{
    static const struct test tests[] = {
        {"random networks against the analysis", test_random},
        {"cores", test_cores},
        {"turns", test_turns},
        {"capacity", test_capacity},
        {"a channel that goes on", test_continued},
        {"copies", test_copies},
        {"blocks", test_blocks},
        {"delay", test_delay},
        {"cores that sleep", test_sleep},
        {"cores that are free", test_free_cores},
        {"the core that looks first", test_looks_first},
        {"time that is taken", test_taken},
        {"how busy, how full", test_busy},
        {"latency", test_latency},
        {"latency of queues", test_queues},
        {"no latency", test_no_latency},
        {"releases", test_releases},
        {"overruns", test_overruns},
        {"allocations that fail", test_memory},
    };
    return run_suite("simulate", tests, sizeof(tests) / sizeof(tests[0]));
}
