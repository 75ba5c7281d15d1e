/*
 * Times that differ (synth/tune/predict/spread.h): what is drawn has the mean and the percentiles
 * of the file of times, and so has the latency of a simulated path. Its core may be held up, and
 * its first iterations may be the longest.
 */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/tune/predict/simulate.h"
#include "test/suite.h"

#include <math.h>

enum { DRAWS = 100000, ITERATIONS = 20000, EVENTS = 2000000 };

/* What files of times have: an exponential distribution, a normal one, one time in 33 ten times as
 * long, and a process that is faster now and then. */
static const struct dal_spec_execution_time shapes[] = {
    {.mean_ns = 1000, .p10_ns = 105, .median_ns = 693, .p99_ns = 4605},
    {.mean_ns = 1000, .p10_ns = 872, .median_ns = 1000, .p99_ns = 1233},
    {.mean_ns = 1270, .p10_ns = 990, .median_ns = 1000, .p99_ns = 10000},
    {.mean_ns = 870, .p10_ns = 500, .median_ns = 1000, .p99_ns = 1010},
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static struct dal_spread spread_of(const struct dal_spec_execution_time *time, double count)
{
    struct dal_spread spread = {0};
    dal_spread_add(&spread, time, count);
    dal_spread_fit(&spread);
    return spread;
}

static void test_mean(void)
{
    for (size_t i = 0; i < SHAPES; i++) {
        struct dal_spread spread = spread_of(&shapes[i], 1);
        double sum = 0;
        CU_ASSERT(dal_spread_differs(&spread));
        for (int k = 0; k < DRAWS; k++)
            sum += dal_spread_draw(&spread, (k + 0.5) / DRAWS);
        CU_ASSERT_DOUBLE_EQUAL(sum / DRAWS, 0, 0.03 * shapes[i].mean_ns);
    }
}

static void check_percentile(size_t shape, double part, double time_ns)
{
    struct dal_spread spread = spread_of(&shapes[shape], 1);
    double drawn_ns = shapes[shape].mean_ns + dal_spread_draw(&spread, part);
    if (fabs(drawn_ns - time_ns) > 0.04 * time_ns)
        printf("\nshape %zu: %g is %g, not %g\n", shape, part, drawn_ns, time_ns);
    CU_ASSERT_DOUBLE_EQUAL(drawn_ns, time_ns, 0.04 * time_ns);
}

static void test_percentiles(void)
{
    for (size_t i = 0; i < SHAPES; i++) {
        check_percentile(i, 0.1, shapes[i].p10_ns);
        check_percentile(i, 0.5, shapes[i].median_ns);
        check_percentile(i, 0.99, shapes[i].p99_ns);
    }
    check_percentile(0, 0.9, 2303); /* of the exponential distribution itself */
    check_percentile(1, 0.9, 1128); /* of the normal one */
}

/* Four processes in one firing deviate twice as much as one; four firings of one, four times. */
static void test_sums(void)
{
    struct dal_spread four = {0}, often = spread_of(&shapes[1], 4), one = spread_of(&shapes[1], 1),
                      none = {0};
    for (int i = 0; i < 4; i++)
        dal_spread_add(&four, &shapes[1], 1);
    dal_spread_fit(&four);
    CU_ASSERT_DOUBLE_EQUAL(four.high_ns, 2 * one.high_ns, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(four.low_ns, 2 * one.low_ns, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(often.high_ns, 4 * one.high_ns, 1e-6);
    dal_spread_add(&none, &(struct dal_spec_execution_time){.mean_ns = 7}, 1);
    dal_spread_fit(&none);
    CU_ASSERT(!dal_spread_differs(&none));
    CU_ASSERT_EQUAL(dal_spread_draw(&none, 0.99), 0);
}

/* ---- a path ---------------------------------------------------------------------------------- */

/* Two processes on one core, of which the second takes times that differ. */
struct model {
    struct dal_sdf_process processes[2];
    struct dal_sdf_channel channel;
    struct dal_sdf_end ends[2];
    struct dal_sdf_graph graph;
    struct dal_sim_actor actors[2];
    struct dal_spread spread;
    struct dal_sim_path path;
    struct dal_sim sim;
};

static void make_model(struct model *m, size_t shape, double part)
{
    static const size_t core = 0;
    *m = (struct model){.processes = {{.repetitions = 1}, {.repetitions = 1}}};
    m->channel = (struct dal_sdf_channel){.consumer = 1, .rate_in = 1, .rate_out = 1, .given = 1};
    m->graph = (struct dal_sdf_graph){.processes = m->processes,
                                      .process_count = 2,
                                      .channels = &m->channel,
                                      .channel_count = 1,
                                      .ends = m->ends};
    dal_sdf_graph_ends(&m->graph);
    m->spread = spread_of(&shapes[shape], 1);
    for (size_t i = 0; i < 2; i++)
        m->actors[i] = (struct dal_sim_actor){
            .servers = &core, .server_count = 1, .copies = 1, .most = 1, .firing_ns = 1};
    m->actors[1].firing_ns = shapes[shape].mean_ns;
    m->actors[1].spread = &m->spread;
    m->path = (struct dal_sim_path){0, 1, part};
    m->sim = (struct dal_sim){.graph = &m->graph,
                              .actors = m->actors,
                              .server_count = 1,
                              .paths = &m->path,
                              .path_count = 1,
                              .events = EVENTS};
}

static struct dal_sim_latency latency_of(size_t shape, double part)
{
    static struct model m;
    struct dal_sim_latency latency;
    struct dal_sim_result result;
    make_model(&m, shape, part);
    CU_ASSERT_EQUAL_FATAL(dal_sim_draw(&m.sim, 100, ITERATIONS, &result), DAL_OK);
    latency = result.latency[0];
    dal_sim_finish(&result);
    return latency;
}

/* The first takes 1 ns. */
static void test_path(void)
{
    for (size_t i = 0; i < SHAPES; i++) {
        struct dal_sim_latency half = latency_of(i, 0.5), most = latency_of(i, 1);
        struct dal_sim_latency late = latency_of(i, 0.99);
        CU_ASSERT_DOUBLE_EQUAL(half.mean_ns, shapes[i].mean_ns + 1, 0.03 * shapes[i].mean_ns);
        CU_ASSERT_DOUBLE_EQUAL(half.part_ns, shapes[i].median_ns + 1, 0.06 * shapes[i].median_ns);
        CU_ASSERT_DOUBLE_EQUAL(late.part_ns, shapes[i].p99_ns + 1, 0.15 * shapes[i].p99_ns);
        CU_ASSERT(most.part_ns >= most.most_ns); /* at the start, or later */
        CU_ASSERT(most.most_ns >= late.part_ns);
        CU_ASSERT_EQUAL(late.part_ns, latency_of(i, 0.99).part_ns); /* it is drawn alike */
    }
}

/* A core that is held up in a tenth of the activations, for 5,000 ns. */
static void test_stalls(void)
{
    static struct model m;
    struct dal_sim_result result;
    static const struct {
        double part, part_ns;
    } rows[] = {{0.8, 1001}, {0.99, 6001}};
    for (size_t i = 0; i < 2; i++) {
        make_model(&m, 0, rows[i].part);
        m.actors[1].spread = NULL;
        m.sim.stall_ns = 5000;
        m.sim.between_ns = 10000;
        CU_ASSERT_EQUAL_FATAL(dal_sim_draw(&m.sim, 100, ITERATIONS, &result), DAL_OK);
        CU_ASSERT_DOUBLE_EQUAL(result.latency[0].part_ns, rows[i].part_ns, 0.04 * rows[i].part_ns);
        CU_ASSERT_DOUBLE_EQUAL(result.latency[0].mean_ns, 1001 + 5000 * (1 - exp(-0.1)), 30);
        dal_sim_finish(&result);
    }
}

/* A process reads what comes every 2,000 ns, and what only comes from 100,000 ns on, but faster.
 * So the first iterations take long, which nobody sees later. */
static void test_start(void)
{
    static const size_t cores[] = {0, 1, 2};
    static struct dal_sdf_end ends[4];
    struct dal_sdf_process processes[3] = {
        {.repetitions = 1}, {.repetitions = 1}, {.repetitions = 1}};
    struct dal_sdf_channel channels[2] = {
        {.consumer = 2, .rate_in = 1, .rate_out = 1, .given = 200},
        {.producer = 1, .consumer = 2, .rate_in = 1, .rate_out = 1, .given = 200}};
    struct dal_sdf_graph graph = {.processes = processes,
                                  .process_count = 3,
                                  .channels = channels,
                                  .channel_count = 2,
                                  .ends = ends};
    struct dal_sim_actor actors[3];
    const struct dal_sim_path path = {0, 2, 0.99};
    const struct dal_sim sim = {.graph = &graph,
                                .actors = actors,
                                .server_count = 3,
                                .paths = &path,
                                .path_count = 1,
                                .events = EVENTS};
    struct dal_sim_result result;
    dal_sdf_graph_ends(&graph);
    for (size_t i = 0; i < 3; i++)
        actors[i] = (struct dal_sim_actor){
            .servers = &cores[i], .server_count = 1, .copies = 1, .most = 1, .firing_ns = 10};
    actors[0].firing_ns = 2000;
    actors[1].periodic = (struct dal_sim_period){
        .period_ns = 1000, .phase_ns = 100000, .deadline_ns = 1000, .firings = 1};
    CU_ASSERT_EQUAL_FATAL(dal_sim_draw(&sim, 10000, 1000, &result), DAL_OK);
    CU_ASSERT(result.latency[0].part_ns > 80000);
    CU_ASSERT_DOUBLE_EQUAL(result.latency[0].most_ns, 2010, 20);
    dal_sim_finish(&result);
}

/* Two cores for two copies of two processes: in turns, the first runs ahead, or by chance. */
static void test_orders(void)
{
    static const size_t cores[] = {0, 1};
    static struct model m;
    struct dal_sim_result result;
    double part_ns[DAL_SIM_ORDERS];
    for (int order = 0; order < DAL_SIM_ORDERS; order++) {
        make_model(&m, 0, 0.9);
        m.channel.given = 50;
        m.sim.server_count = 2;
        m.sim.order = (enum dal_sim_order)order;
        for (size_t i = 0; i < 2; i++)
            m.actors[i] = (struct dal_sim_actor){
                .servers = cores, .server_count = 2, .copies = 2, .most = 1, .firing_ns = 10};
        CU_ASSERT_EQUAL_FATAL(dal_sim_draw(&m.sim, 100000, 1000, &result), DAL_OK);
        part_ns[order] = result.latency[0].part_ns;
        CU_ASSERT(order != DAL_SIM_AHEAD || result.latency[0].most_ns > 200); /* later, too */
        dal_sim_finish(&result);
    }
    CU_ASSERT(part_ns[DAL_SIM_TURNS] < 50);
    CU_ASSERT(part_ns[DAL_SIM_AHEAD] > 200);
    CU_ASSERT(part_ns[DAL_SIM_CHANCE] > part_ns[DAL_SIM_TURNS]);
    CU_ASSERT(part_ns[DAL_SIM_CHANCE] < part_ns[DAL_SIM_AHEAD]);
}

/* ---- rings ----------------------------------------------------------------------------------- */

/* Activations of four firings, of which the end of a ring of five or six slots cuts every second
 * one. */
static void test_rings(void)
{
    static const struct {
        struct dal_sim_ring ring;
        double block;
    } rows[] = {{{.slots = 6}, 3}, {{.slots = 5, .write_at = 4, .read_at = 4}, 2.5}, {{0}, 4}};
    static struct model m;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct dal_sim_result result;
        make_model(&m, 0, 1);
        m.channel.given = 6;
        m.sim.rings = &rows[i].ring;
        m.actors[0].most = m.actors[1].most = 4;
        CU_ASSERT_EQUAL_FATAL(dal_sim_run(&m.sim, &result), DAL_OK);
        CU_ASSERT_DOUBLE_EQUAL(result.actor_block[0], rows[i].block, 1e-2);
        CU_ASSERT_DOUBLE_EQUAL(result.actor_block[1], rows[i].block, 1e-2);
        dal_sim_finish(&result);
    }
}

/* Means alone: the simulation that knows no spread. */
static void test_means(void)
{
    static struct model m;
    struct dal_sim_result result;
    make_model(&m, 0, 0.99);
    CU_ASSERT_EQUAL_FATAL(dal_sim_run(&m.sim, &result), DAL_OK);
    CU_ASSERT_DOUBLE_EQUAL(result.latency[0].most_ns, 1001, 1e-6);
    CU_ASSERT(result.seen > 0);
    dal_sim_finish(&result);
}

/* Each allocation fails once. */
static void test_memory(void)
{
    static struct model m;
    struct dal_sim_result result;
    int status = DAL_ERR_NOMEM;
    make_model(&m, 0, 0.99);
    for (unsigned long n = 1; status == DAL_ERR_NOMEM; n++) {
        dal_alloc_fail_at(n);
        status = dal_sim_draw(&m.sim, 100, 1000, &result);
        dal_alloc_fail_at(0);
        dal_sim_finish(&result);
    }
    CU_ASSERT_EQUAL(status, DAL_OK);
}

int main(void)
{
    static const struct test tests[] = {
        {"mean", test_mean},
        {"percentiles", test_percentiles},
        {"sums", test_sums},
        {"a path", test_path},
        {"a core that is held up", test_stalls},
        {"the first iterations", test_start},
        {"orders", test_orders},
        {"rings that cut", test_rings},
        {"a path of means", test_means},
        {"allocations that fail", test_memory},
    };
    return run_suite("spread", tests, sizeof(tests) / sizeof(tests[0]));
}
