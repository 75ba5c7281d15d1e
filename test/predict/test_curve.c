/*
 * Times of launches by their firings: curves as files have them (spec/read/curve.h), what is
 * between their sizes (spec/model/curve.h), and what a simulation makes of them.
 */
#include "rt/base/error.h"
#include "spec/read/entries.h"
#include "spec/model/model.h"
#include "synth/plan/choose.h"
#include "synth/tune/predict/simulate.h"
#include "test/suite.h"

#include <math.h>
#include <string.h>

/* ---- in files -------------------------------------------------------------------------------- */

/* Reads a file of times whose second line has the curve. */
static int read_curve(const char *curve, struct dal_diags *diags, struct dal_times_list *list)
{
    char text[2000];
    struct dal_json json = {.diags = diags, .place = {.file = "times.json", .line = 1}};
    int length =
        snprintf(text, sizeof(text),
                 "{\"dal-times\": 2, \"times\": [{\"process\": \"A\", \"on\": \"GPU_DEV1\",\n"
                 "\"curve\": %s, \"type\": \"opencl\",\n"
                 "\"ns\": {\"mean\": 1, \"p10\": 1, \"median\": 1, \"p99\": 1}}]}",
                 curve);
    CU_ASSERT_FATAL(length > 0 && (size_t)length < sizeof(text));
    json.at = text;
    json.end = text + length;
    CU_ASSERT_EQUAL(dal__entries_read(&json, list), DAL_OK);
    return !json.wrong;
}

static void test_good(void)
{
    struct dal_diags diags;
    struct dal_times_list list = {0};
    dal_diags_init(&diags);
    CU_ASSERT_FATAL(read_curve("[84, 84, 840, 10, 25.5, 1e3]", &diags, &list));
    CU_ASSERT_PTR_NOT_NULL_FATAL(list.entries[0].curve);
    CU_ASSERT_EQUAL(list.entries[0].curve->count, 2);
    CU_ASSERT_EQUAL(list.entries[0].curve->of[0].launches, 84);
    CU_ASSERT_EQUAL(list.entries[0].curve->of[1].firings, 25.5);
    CU_ASSERT_EQUAL(list.entries[0].curve->of[1].ns, 1000);
    dal__entries_finish(&list);
    CU_ASSERT(read_curve("[]", &diags, &list));
    CU_ASSERT_PTR_NULL(list.entries[0].curve);
    dal__entries_finish(&list);
    dal_diags_finish(&diags);
}

static void check_bad(const char *curve, const char *words)
{
    struct dal_diags diags;
    struct dal_times_list list = {0};
    dal_diags_init(&diags);
    CU_ASSERT(!read_curve(curve, &diags, &list));
    CU_ASSERT_FATAL(diags.count == 1);
    if (!strstr(diags.list[0].message, words))
        printf("\n%s: %s\n", curve, diags.list[0].message);
    CU_ASSERT_PTR_NOT_NULL(strstr(diags.list[0].message, words));
    CU_ASSERT_STRING_EQUAL(diags.list[0].code, "bad-times");
    CU_ASSERT_STRING_EQUAL(diags.list[0].place.file, "times.json");
    CU_ASSERT_EQUAL(diags.list[0].place.line, 2);
    dal__entries_finish(&list);
    dal_diags_finish(&diags);
}

static void test_bad(void)
{
    char many[1500] = "[1, 1, 5";
    for (int i = 2; i <= DAL_CURVE_MOST + 1; i++)
        snprintf(many + strlen(many), sizeof(many) - strlen(many), ", 1, %d, 5", i);
    strcat(many, "]");
    check_bad(many, "more than 96 numbers");
    check_bad("[1, 4, 100, 1, 4, 100]", "do not ascend");
    check_bad("[1, 4, 100, 3, 9, 100]", "do not ascend");
    check_bad("[1, 1e17, 100, 1, 100000000000000016, 200]", "do not ascend");
    check_bad("[1, 4, -100]", "curve");
    check_bad("[1, -4, 100]", "curve");
    check_bad("[0, 4, 100]", "a launch at least");
    check_bad("[4, 2, 100]", "a firing or more");
    check_bad("[1, 4, 100, 1]", "three numbers");
    check_bad("{}", "curve");
    check_bad("5", "curve");
    check_bad("[1, 4, \"x\"]", "curve");
    check_bad("[1, 4, 100], \"curve\": [1, 4, 100]", "given twice");
}

/* ---- between sizes --------------------------------------------------------------------------- */

/* 10 launches of 2 firings took 100 each, 1 of 4 took 140, 5 of 10 took 500. */
static const struct dal_spec_curve three = {.count = 3,
                                            .of = {{10, 20, 1000}, {1, 4, 140}, {5, 50, 2500}}};

static void test_between(void)
{
    static const double cases[][2] = {{1, 100}, {2, 100},  {3, 120},  {4, 140},
                                      {7, 320}, {10, 500}, {20, 1100}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        CU_ASSERT_DOUBLE_EQUAL(dal_spec_curve_ns(&three, cases[i][0]), cases[i][1], 1e-9);
    for (double ns = 100; ns < 2000; ns += 10)
        CU_ASSERT_DOUBLE_EQUAL(dal_spec_curve_ns(&three, dal_spec_curve_firings(&three, ns)), ns,
                               1e-9);
    CU_ASSERT_EQUAL(dal_spec_curve_firings(&three, 99), 1);
}

/* What is above its neighbour to the right is pooled with it, by launches. */
static void test_noise(void)
{
    struct dal_spec_curve noisy = {.count = 4,
                                   .of = {{1, 1, 90}, {1, 2, 130}, {3, 12, 300}, {1, 8, 70}}};
    dal_spec_curve_rise(&noisy);
    for (int i = 1; i <= 8; i++)
        CU_ASSERT(dal_spec_curve_ns(&noisy, i) <= dal_spec_curve_ns(&noisy, i + 1) + 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(dal_spec_curve_ns(&noisy, 1), 90, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(dal_spec_curve_ns(&noisy, 2), 100, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(dal_spec_curve_ns(&noisy, 8), 100, 1e-9);
    noisy = three;
    dal_spec_curve_rise(&noisy);
    CU_ASSERT_EQUAL(memcmp(noisy.of, three.of, sizeof(noisy.of)), 0);
}

/* Flat up to the units of the device, and then as long a firing as there. */
static void test_units(void)
{
    struct dal_spec_curve flat = {.count = 2, .of = {{1, 1, 110}, {1, 2, 110}}}, rising = three;
    CU_ASSERT_EQUAL(dal_spec_curve_ns(&flat, 1e9), 110);
    CU_ASSERT_EQUAL(dal_spec_curve_firings(&flat, 110), INFINITY);
    dal_spec_curve_extend(&flat, 132);
    CU_ASSERT_DOUBLE_EQUAL(dal_spec_curve_ns(&flat, 38), 110, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(dal_spec_curve_ns(&flat, 132), 110, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(dal_spec_curve_ns(&flat, 1320), 1100, 1e-9);
    dal_spec_curve_extend(&rising, 4); /* steeper than that already */
    for (int i = 1; i < 100; i++)
        CU_ASSERT_DOUBLE_EQUAL(dal_spec_curve_ns(&rising, i), dal_spec_curve_ns(&three, i), 1e-9);
}

/* ---- in a simulation ------------------------------------------------------------------------- */

enum { UNITS = 132, LAUNCH_NS = 110000, FIXED_NS = 4000 };

/* A device of 132 units between two that take no time: a launch of up to so many firings takes as
 * long as one. */
struct model {
    struct dal_sim sim;
    struct dal_sdf_graph graph;
    struct dal_sdf_process processes[3];
    struct dal_sdf_channel channels[2];
    struct dal_sdf_end ends[4];
    struct dal_sim_actor actors[3];
    struct dal_sim_path path;
    size_t server;
};

static void make_model(struct model *m, uint64_t copies, const struct dal_spec_curve *curve)
{
    memset(m, 0, sizeof(*m));
    for (size_t i = 0; i < 3; i++) {
        m->processes[i].repetitions = 1;
        m->actors[i] = (struct dal_sim_actor){.copies = 1, .most = UINT64_MAX};
    }
    m->actors[1] = (struct dal_sim_actor){.servers = &m->server,
                                          .server_count = 1,
                                          .copies = 1,
                                          .most = copies,
                                          .fixed_ns = FIXED_NS,
                                          .firing_ns = LAUNCH_NS,
                                          .curve = curve};
    for (size_t i = 0; i < 2; i++)
        m->channels[i] = (struct dal_sdf_channel){
            .producer = i, .consumer = i + 1, .rate_in = 1, .rate_out = 1, .given = 4 * copies};
    m->graph = (struct dal_sdf_graph){.processes = m->processes,
                                      .process_count = 3,
                                      .channels = m->channels,
                                      .channel_count = 2,
                                      .ends = m->ends};
    dal_sdf_graph_ends(&m->graph);
    m->path = (struct dal_sim_path){.from = 1, .to = 1, .part = 0.5};
    m->sim = (struct dal_sim){.graph = &m->graph,
                              .actors = m->actors,
                              .server_count = 1,
                              .paths = &m->path,
                              .path_count = 1,
                              .events = 200000};
}

static double period_of(uint64_t copies, const struct dal_spec_curve *curve)
{
    static struct model m;
    struct dal_sim_result result;
    double period;
    make_model(&m, copies, curve);
    CU_ASSERT_EQUAL_FATAL(dal_sim_run(&m.sim, &result), DAL_OK);
    period = result.period_ns;
    dal_sim_finish(&result);
    return period;
}

static const struct dal_spec_curve flat = {.count = 2,
                                           .of = {{1, 1, LAUNCH_NS}, {1, UNITS, LAUNCH_NS}}};

/* The truth: a launch of n firings takes FIXED_NS + LAUNCH_NS. One number, of launches of one
 * firing, has each of them wait for the other. */
static void test_period(void)
{
    static const uint64_t launches[] = {1, 2, 38, UNITS};
    for (size_t i = 0; i < sizeof(launches) / sizeof(launches[0]); i++) {
        double n = (double)launches[i], truth = (FIXED_NS + LAUNCH_NS) / n;
        CU_ASSERT_DOUBLE_EQUAL(period_of(launches[i], &flat), truth, 0.01 * truth);
        CU_ASSERT_DOUBLE_EQUAL(period_of(launches[i], NULL), FIXED_NS / n + LAUNCH_NS,
                               0.01 * LAUNCH_NS);
    }
}

/* Launches whose times differ: by the same part of what the size takes. */
static void test_drawn(void)
{
    static struct model m;
    static const struct dal_spec_execution_time differs = {.mean_ns = LAUNCH_NS,
                                                           .p10_ns = 0.8 * LAUNCH_NS,
                                                           .median_ns = LAUNCH_NS,
                                                           .p99_ns = 1.3 * LAUNCH_NS};
    struct dal_spread spread = {0};
    struct dal_sim_result result;
    dal_spread_add(&spread, &differs, 1);
    dal_spread_fit(&spread);
    make_model(&m, UNITS, &flat);
    m.actors[1].spread = &spread;
    m.path.part = 0.99;
    CU_ASSERT_EQUAL_FATAL(dal_sim_draw(&m.sim, 1000, 100 * UNITS, &result), DAL_OK);
    CU_ASSERT_DOUBLE_EQUAL(result.latency[0].mean_ns, FIXED_NS + LAUNCH_NS, 0.05 * LAUNCH_NS);
    CU_ASSERT_DOUBLE_EQUAL(result.latency[0].part_ns, FIXED_NS + 1.3 * LAUNCH_NS, 0.1 * LAUNCH_NS);
    dal_sim_finish(&result);
}

/* ---- S --------------------------------------------------------------------------------------- */

/* By one number, launches of the device were too long with more firings than it has units. */
static void test_choice(void)
{
    static const struct dal_plan_device gpu = {.name = "gpu",
                                               .is_known = 1,
                                               .compute_units = UNITS,
                                               .work_group = 256,
                                               .buffer_bytes = (uint64_t)1 << 30,
                                               .rings = 2};
    struct dal_plan_work work = {
        .window_bytes = 8, .port_bytes = 4, .time_ns = LAUNCH_NS, .most = UINT64_MAX, .items = 1};
    struct dal_plan_choice choice;
    dal_plan_suggest(&work, &gpu, &choice);
    CU_ASSERT_EQUAL(choice.copies, UNITS);
    work.curve = &flat;
    dal_plan_suggest(&work, &gpu, &choice);
    /* of 10 ms: 90 times as many firings as units, in whole rounds of these */
    CU_ASSERT_EQUAL(choice.copies, 91 * UNITS);
    CU_ASSERT_EQUAL(dal_plan_quick_copies(&work, UNITS), 1);
}

int main(void)
{
    static const struct test tests[] = {
        {"in a file", test_good},
        {"refused", test_bad},
        {"between sizes", test_between},
        {"more firings take no less", test_noise},
        {"beyond what was measured", test_units},
        {"the period of a device", test_period},
        {"times that are drawn", test_drawn},
        {"S", test_choice},
    };
    return run_suite("curve", tests, sizeof(tests) / sizeof(tests[0]));
}
