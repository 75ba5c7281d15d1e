/* dalsynth's parts that synth.sh cannot reach: text, what keeps p, and what happens when memory
 * runs out at any one point. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/load/load.h"
#include "spec/model/model.h"
#include "synth/codegen/c/source.h"
#include "synth/codegen/clang/reader.h"
#include "synth/codegen/emit/emit.h"
#include "synth/codegen/kernel/group.h"
#include "synth/plan/choose.h"
#include "synth/plan/link.h"
#include "synth/plan/plan.h"
#include "synth/program/applications.h"
#include "synth/tune/predict/advice.h"
#include "synth/tune/predict/compare.h"
#include "synth/tune/predict/model.h"
#include "synth/tune/predict/saving.h"
#include "test/suite.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the path of a file below test; returns it. */
static const char *locate(char path[PATH_MAX], const char *file)
{
    const char *root = getenv("DAL_SRCDIR");
    snprintf(path, PATH_MAX, "%s/test/%s", root ? root : ".", file);
    return path;
}

/* Files below test. */
struct inputs {
    const char *network, *machine, *mapping;
};

static const struct inputs on_cores = {"synth/golden/shop.xml", "synth/golden/machine.xml",
                                       "synth/golden/cores.xml"};
static const struct inputs on_devices = {"synth/golden/shop.xml", "synth/golden/machine.xml",
                                         "synth/golden/devices.xml"};

static struct dal_spec *load(struct dal_diags *diags, const struct inputs *inputs)
{
    char network[PATH_MAX], machine[PATH_MAX], mapping[PATH_MAX];
    return dal_spec_load(diags, locate(network, inputs->network), locate(machine, inputs->machine),
                         locate(mapping, inputs->mapping), NULL, 0);
}

static void test_literal(void)
{
    struct dal_text text = {0};
    dal_text_add_literal_bytes(&text,
                               "a\"\\\n\0"
                               "1\xff?"
                               "?/",
                               10);
    CU_ASSERT_STRING_EQUAL(dal_text_get(&text), "\"a\\\"\\\\\\n\\0001\\377?\\?/\"");
    dal_text_finish(&text);
    CU_ASSERT_STRING_EQUAL(dal_text_get(&text), "");
}

static void test_comment(void)
{
    struct dal_text text = {0};
    char words[300] = "*/ /* ";
    char *line, *end;
    memset(words + 6, 'x', 290);
    for (line = words + 10; line < words + 290; line += 7)
        *line = ' ';
    dal_text_add_comment(&text, 8, "%s", words);
    CU_ASSERT_EQUAL(strncmp(text.data, "        /* *_ /_ ", 17), 0);
    for (line = text.data; *line; line = end + 1) {
        end = strchr(line, '\n');
        CU_ASSERT(end - line <= 100);
    }
    dal_text_finish(&text);
}

/* Devices, what a firing does, and the S and I that suit. */
static const struct dal_plan_device two_cores = {.name = "cpu",
                                                 .is_cpu = 1,
                                                 .is_known = 1,
                                                 .compute_units = 2,
                                                 .work_group = 4096,
                                                 .buffer_bytes = UINT64_C(2) << 30,
                                                 .rings = 2};
static const struct dal_plan_device large_gpu = {.name = "gpu",
                                                 .is_known = 1,
                                                 .compute_units = 132,
                                                 .work_group = 1024,
                                                 .buffer_bytes = UINT64_C(35) << 30,
                                                 .rings = 6};
static const struct dal_plan_device small_gpu = {.name = "small",
                                                 .is_known = 1,
                                                 .compute_units = 10,
                                                 .work_group = 64,
                                                 .buffer_bytes = UINT64_C(256) << 20,
                                                 .rings = 8};

static void test_predict(void)
{
#define NONE UINT64_MAX
    static const struct {
        const struct dal_plan_device *device;
        struct dal_plan_work work; /* window, port, time, most, limit, items, curve */
        uint64_t copies;
        uint32_t items;
        const char *reason;
    } cases[] = {
        /* what a launch costs */
        {&two_cores, {64, 32, 0, NONE, NULL, 8, NULL}, 8192, 1, "S for 512 KB a launch"},
        {&two_cores, {8192, 4096, 0, NONE, NULL, 1024, NULL}, 64, 1, "S for 512 KB a launch"},
        {&large_gpu, {64, 32, 0, NONE, NULL, 8, NULL}, 16500, 8, "S for 1 MB a launch"},
        {&large_gpu, {8, 4, 0, NONE, NULL, 1, NULL}, 65536, 1, "S for 1 MB a launch"},
        /* all units at work */
        {&two_cores,
         {153728, 76864, 0, NONE, NULL, 19216, NULL},
         4,
         1,
         "S for 2 firings a compute unit"},
        {&large_gpu,
         {153728, 76864, 0, NONE, NULL, 19216, NULL},
         528,
         256,
         "S for 4 firings a compute"},
        {&large_gpu, {0, 0, 0, NONE, NULL, 0, NULL}, 528, 1, "S for 4 firings a compute unit"},
        /* memory: first more than one a unit goes, and then what does not fit at all */
        {&large_gpu,
         {4 << 20, 2 << 20, 0, NONE, NULL, 1 << 19, NULL},
         128,
         256,
         "; less, for rings"},
        {&large_gpu,
         {2 << 20, 1 << 20, 0, NONE, NULL, 1 << 18, NULL},
         132,
         256,
         "; less, for rings"},
        {&small_gpu, {4 << 20, 2 << 20, 0, NONE, NULL, 1 << 19, NULL}, 2, 64, "; less, for rings"},
        {&small_gpu, {UINT64_MAX, UINT64_MAX, 0, NONE, NULL, 9, NULL}, 1, 8, "; less, for rings"},
        /* measured times */
        {&two_cores, {8192, 4096, 500, NONE, NULL, 1024, NULL}, 200, 1, "S for 0.1 ms a launch"},
        {&two_cores, {8192, 4096, 1000000, NONE, NULL, 1024, NULL}, 10, 1, "S for 10 ms a launch"},
        {&two_cores, {8192, 4096, 100000000, NONE, NULL, 1024, NULL}, 2, 1, "S for 10 ms a launch"},
        /* capacities and loops */
        {&large_gpu, {8, 4, 0, 40, "back", 1, NULL}, 40, 1, "; less, for channel back"},
        /* items: powers of two */
        {&large_gpu, {600, 300, 0, NONE, NULL, 75, NULL}, 1848, 64, "S for 1 MB a launch"},
    };
    struct dal_plan_choice choice;
    size_t i;

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        dal_plan_suggest(&cases[i].work, cases[i].device, &choice);
        if (choice.copies != cases[i].copies || choice.items != cases[i].items ||
            !strstr(choice.copies_reason, cases[i].reason))
            printf("case %zu: S = %llu, I = %u: %s\n", i, (unsigned long long)choice.copies,
                   choice.items, choice.copies_reason);
        CU_ASSERT_EQUAL(choice.copies, cases[i].copies);
        CU_ASSERT_EQUAL(choice.items, cases[i].items);
        CU_ASSERT_PTR_NOT_NULL(strstr(choice.copies_reason, cases[i].reason));
        CU_ASSERT(choice.copies <= choice.most && choice.least <= choice.copies);
    }
    CU_ASSERT_EQUAL(dal_plan_idle(&large_gpu, 4), 97);
    CU_ASSERT_EQUAL(dal_plan_idle(&large_gpu, 132), 0);
    CU_ASSERT_EQUAL(dal_plan_idle(&two_cores, 1), 50);
}

/* FIRE stands for the usual beginning of a function that is given a p. */
#define MS UINT64_C(1000000)

/* Of nodes 0 to 5: two in one network, one behind a switch (3) and another, one alone. */
static struct dal_spec_link links[] = {
    {"wire", {0, 1}, 1 * MS, 125000000, {0}},
    {"up", {3, 0}, 2 * MS, 1000, {0}},
    {"down", {3, 2}, 3 * MS, 500, {0}},
    {"short", {2, 1}, 4 * MS, 800, {0}},
    {"thin", {4, 0}, 0, 100, {0}},
    {"thick", {0, 4}, 0, 200, {0}},
    {"far", {4, 2}, 5 * MS, 300, {0}},
};

static void test_ways(void)
{
    static const struct {
        size_t from, to;
        const char *names;
        uint64_t latency_ns, bandwidth;
    } cases[] = {
        {0, 1, "wire", 1 * MS, 125000000},
        {1, 0, "wire", 1 * MS, 125000000},
        {0, 2, "wire, short", 5 * MS, 800}, /* as long as the others, and wider */
        {3, 1, "up, wire", 3 * MS, 1000},
        {0, 4, "thick", 0, 200},
        {1, 4, "wire, thick", 1 * MS, 200},
        {0, 5, NULL, 0, 0},
        {5, 0, NULL, 0, 0},
    };
    const struct dal_spec_architecture architecture = {
        .links = links, .link_count = sizeof(links) / sizeof(links[0]), .node_limit = 6};
    struct dal_plan_way way;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CU_ASSERT_EQUAL_FATAL(dal_plan_find_way(&architecture, cases[i].from, cases[i].to, &way),
                              DAL_OK);
        CU_ASSERT(dal_text_same(way.names, cases[i].names));
        CU_ASSERT_EQUAL(way.latency_ns, cases[i].latency_ns);
        CU_ASSERT_EQUAL(way.bandwidth, cases[i].bandwidth);
        dal_plan_way_finish(&way);
    }
}

/* A ring that is large enough carries all, a smaller one what comes there in a turn. */
static void test_link(void)
{
    const struct dal_plan_way slow = {NULL, 1 * MS, 122880000}; /* a message of 60 KB: 0.5 ms */
    const struct dal_plan_way fast = {NULL, MS / 9, 1000000000};
    const double turn = 3.25e-3; /* 2.25 ms, 0.5 of threads, 0.5 of a message */
    CU_ASSERT_EQUAL(dal_plan_way_message(&slow, 4096), 15);
    CU_ASSERT_DOUBLE_EQUAL(dal_plan_way_bytes(&slow, 4096), 1.5 * turn * 122.88e6, 1);
    CU_ASSERT_DOUBLE_EQUAL(dal_plan_way_rate(&slow, 4096, 1.5 * turn * 122.88e6), 122.88e6, 1);
    CU_ASSERT_DOUBLE_EQUAL(dal_plan_way_rate(&slow, 4096, 5e9), 122.88e6, 1);
    CU_ASSERT_DOUBLE_EQUAL(dal_plan_way_rate(&slow, 4096, 131072), 131072 / turn, 1);
    /* Large tokens, and fast links: a second turn, and 16/17 of the bandwidth. */
    CU_ASSERT_EQUAL(dal_plan_way_message(&slow, 61440), 1);
    CU_ASSERT_EQUAL(dal_plan_way_message(&slow, 61441), 0);
    CU_ASSERT_DOUBLE_EQUAL(dal_plan_way_bytes(&slow, 61441), 16 * 5e-3 * 122.88e6, 1);
    CU_ASSERT_EQUAL(dal_plan_way_message(&fast, 4), 0);
    CU_ASSERT_DOUBLE_EQUAL(dal_plan_way_bytes(&fast, 4), 16e6, 100);
    CU_ASSERT_DOUBLE_EQUAL(dal_plan_way_rate(&fast, 4, 16e6), 16e9 / 17, 1e4);
    CU_ASSERT_DOUBLE_EQUAL(dal_plan_way_rate(&fast, 4, 1e6), 0.5e9, 1e4);
}

static void test_keeps(void)
{
#define FIRE "int X_fire(DALProcess *p) { "
    static const char prelude[] =
        "#include <dal.h>\n#include <pthread.h>\n#include <stdarg.h>\n"
        "struct _local_states { int x, n; void *self; };\n"
        "struct s { int n; void *v; };\n"
        "static void *kept; static DALProcess *other; static int x; static pthread_t t;\n"
        "static void (*function)(DALProcess *); void *thread(void *);\n";
    static const struct {
        int keeps;
        const char *source;
    } cases[] = {
        {0, FIRE "return DAL_read(\"in\", &p->local->x, 4, p); }"},
        {0, FIRE "if (p == NULL || !p) return 1; (void)p; DAL_fail(p, \"%d\", 1); return 0; }"},
        {0, FIRE "return p ? p->local->x : (p != other) + (p && x); }"},
        {0, "static void help(int k, DALProcess *q) { DAL_write(\"a\", &k, 4, (q)); }" FIRE
            "help(1, p); return 0; }"},
        {0, "void help(int k, DALProcess *); /* p */ " FIRE "return p->local->n; }"},
        {0, "#define help(k, q) DAL_write(\"a\", &k, 4, q)\n" FIRE "help(x, p); return 0; }"},
        {0, "static DALProcess *unused;" FIRE "return 0; }"},
        {0, FIRE "int plus = ({ p->local->n++; }); return plus; }"},
        {1, "void help(int k, DALProcess *q);" FIRE "help(1, p); return 0; }"},
        {1,
         "static void help(void *v, DALProcess *q) { kept = v; }" FIRE "help(p, p); return 0; }"},
        {1, "static void help(int n, ...) { va_list l; va_start(l, n); kept = va_arg(l, void *); "
            "}" FIRE "help(1, p); return 0; }"},
        {1, "#define help(k, q) kept = q\n" FIRE "help(1, p); return 0; }"},
        {1, "static void help(DALProcess *q) { (void)q; }\n#define help(k) kept = k\n" FIRE
            "help(p); return 0; }"},
        {0, "#include \"input/help.h\"\n" FIRE "help(p); return 0; }"},
        {1, "#define MACRO\n#include \"input/help.h\"\n" FIRE "help(p); return 0; }"},
        {1, "#define KEEP kept = p\n" FIRE "KEEP; return 0; }"},
        {1, "typedef DALProcess P; int X_fire(P *p) { kept = p; return 0; }"},
        {1, "int X_fire(p) DALProcess *p; { other = p; return 0; }"},
        {1, FIRE "other = p; return 0; }"},
        {1, FIRE "other = (p); return 0; }"},
        {1, FIRE "other = ({ p; }); return 0; }"},
        {1, FIRE "other = x ? p : NULL; return 0; }"},
        {1, FIRE "DALProcess *q = p; return q->local->x; }"},
        {1, FIRE "DALProcess q = *p; return q.local->x; }"},
        {1, FIRE "struct s s = {1, p}; kept = s.v; return 0; }"},
        {1, FIRE "DALProcess *all[] = {p}; return all[0] != p; }"},
        {1, FIRE "other = (x, p); return 0; }"},
        {1, FIRE "kept = &p; return 0; }"},
        {1, FIRE "kept = p + 1; return 0; }"},
        {1, FIRE "p->local->self = p; return 0; }"},
        {1, FIRE "kept = p->wptr; return 0; }"},
        {1, FIRE "kept = (void *)(uintptr_t)p; return 0; }"},
        {1, FIRE "return *(DALProcess **)kept = p, 0; }"},
        {1, FIRE "return pthread_create(&t, NULL, thread, p); }"},
        {1, FIRE "(*function)(p); return 0; }"},
        {1, FIRE "__atomic_store_n(&other, p, 0); return 0; }"},
        {1, FIRE "__asm__(\"\" : : \"r\"(p)); return 0; }"},
        {1, "DALProcess *X(DALProcess *p) { return p; }"},
        {1, FIRE "return nothing; }"},
    };
    char path[PATH_MAX];
    size_t i;

    locate(path, "synth/test_synth.c");
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *text = dal_format("%s%s", prelude, cases[i].source);
        struct dal_reading reading = {.path = path, .text = text, .folder = ".", .prologue = ""};
        struct dal_facts facts;
        CU_ASSERT_EQUAL(dal_read_source(&reading, &facts), DAL_OK);
        if (facts.keeps_p != cases[i].keeps)
            printf("keeps: %s\n", cases[i].source);
        CU_ASSERT_EQUAL(facts.keeps_p, cases[i].keeps);
        CU_ASSERT_EQUAL(facts.has_state, 1);
        dal_facts_finish(&facts);
        dal_free(text);
    }
#undef FIRE
}

/* All passes up to the text of the folder. */
static int synthesise(const struct inputs *inputs)
{
    struct dal_diags diags;
    struct dal_plan *plan = NULL;
    struct dal_spec *spec;
    struct dal_tree tree = {0};
    int error = DAL_ERR_INVALID;
    dal_diags_init(&diags);
    spec = load(&diags, inputs);
    plan = spec ? dal_plan_create(spec) : NULL;
    if (plan)
        error = dal_plan_place(&diags, plan);
    if (!error)
        error = dal_plan_capacities(&diags, plan);
    if (!error)
        error = dal_plan_order(plan);
    if (!error)
        error = dal_source_units(&diags, plan);
    if (!error) {
        struct dal_emit emit = {
            .plan = plan,
            .first_file = spec->network.file,
            .program = "shop",
            .source_dir = "/",
            .output_dir = "/out",
            .dal_cflags = "",
        };
        error = dal_emit(&emit, &tree);
        if (!error && tree.count < 10)
            error = DAL_ERR_INVALID;
    }
    dal_tree_finish(&tree);
    dal_plan_destroy(plan);
    dal_spec_destroy(spec);
    dal_diags_finish(&diags);
    return error;
}

/* The plan of a mapping, as far as a prediction wants it, with times. */
static struct dal_plan *plan_with_times(struct dal_diags *diags, const struct inputs *inputs,
                                        struct dal_spec **spec)
{
    struct dal_plan *plan;
    *spec = load(diags, inputs);
    CU_ASSERT_FATAL(*spec != NULL);
    for (size_t i = 0; i < (*spec)->network.process_count; i++)
        (*spec)->network.processes[i].execution_time = (struct dal_spec_execution_time){
            .is_given = 1, .is_measured = 1, .units = 5000, .mean_ns = 5000};
    plan = dal_plan_create(*spec);
    CU_ASSERT_FATAL(plan && !dal_plan_place(diags, plan) && !dal_plan_choose(diags, plan) &&
                    !dal_plan_order(plan) && !dal_plan_groups(plan) &&
                    !dal_plan_capacities(diags, plan));
    return plan;
}

static int predict_to(FILE *out, const struct dal_plan *plan)
{
    struct dal_prediction prediction;
    int error = dal_predict(plan, 0, &prediction);
    if (!error)
        error = dal_prediction_print(plan, &prediction, out);
    dal_prediction_finish(&prediction);
    return error;
}

/* Bytes, advice, and a run in which nothing has happened. */
static int advise_to(FILE *out, const struct dal_plan *plan)
{
    struct dal_stats stats = {
        .processes = dal_calloc(plan->process_count + 1, sizeof(*stats.processes)),
        .channels = dal_calloc(plan->channel_count + 1, sizeof(*stats.channels))};
    struct dal_prediction prediction = {0};
    struct dal_ledger ledger = {0};
    struct dal_advice advice = {0};
    struct dal_comparison comparison = {plan, &prediction, &ledger, &stats};
    int error = stats.processes && stats.channels ? DAL_OK : DAL_ERR_NOMEM;
    error = error ? error : dal_ledger_make(plan, &ledger);
    error = error ? error : dal_ledger_print(plan, &ledger, out);
    error = error ? error : dal_advise_bytes(plan, &ledger, out);
    error = error ? error : dal_predict(plan, 0, &prediction);
    error = error ? error : dal_advise(plan, &prediction, 3600, &advice);
    error = error ? error : dal_advice_print(&prediction, &advice, out);
    error = error ? error : dal_compare_print(&comparison, out);
    dal_advice_finish(&advice);
    dal_prediction_finish(&prediction);
    dal_ledger_finish(&ledger);
    dal_stats_finish(&stats);
    return error;
}

/* Whatever allocation fails, at first each, then one in so many. */
static void check_advice(const struct inputs *inputs)
{
    struct dal_diags diags;
    struct dal_spec *spec;
    struct dal_plan *plan;
    static char text[65536];
    FILE *out = fmemopen(text, sizeof(text), "w");
    unsigned long n;
    int error = DAL_ERR_NOMEM;
    dal_diags_init(&diags);
    plan = plan_with_times(&diags, inputs, &spec);
    for (n = 1; error == DAL_ERR_NOMEM && n < 1000000; n += 1 + n / 30) {
        rewind(out);
        dal_alloc_fail_at(n);
        error = advise_to(out, plan);
        dal_alloc_fail_at(0);
    }
    fclose(out);
    CU_ASSERT_EQUAL(error, DAL_OK);
    CU_ASSERT(n > 100);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "advice: what limits it is"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "measured: no process fired twice"));
    dal_plan_destroy(plan);
    dal_spec_destroy(spec);
    dal_diags_finish(&diags);
}

static void test_advice(void)
{
    check_advice(&on_cores);
    check_advice(&on_devices);
}

/* Whatever allocation fails; and there is a period. */
static void check_prediction(const struct inputs *inputs)
{
    struct dal_diags diags;
    struct dal_spec *spec;
    struct dal_plan *plan;
    char text[8192] = "";
    FILE *out = fmemopen(text, sizeof(text), "w");
    unsigned long n;
    int error = DAL_ERR_NOMEM;
    dal_diags_init(&diags);
    plan = plan_with_times(&diags, inputs, &spec);
    for (n = 1; error == DAL_ERR_NOMEM && n < 10000; n++) {
        rewind(out);
        dal_alloc_fail_at(n);
        error = predict_to(out, plan);
        dal_alloc_fail_at(0);
    }
    fclose(out);
    CU_ASSERT_EQUAL(error, DAL_OK);
    CU_ASSERT(n > 20);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "an iteration"));
    CU_ASSERT_PTR_NULL(strstr(text, "deadlock"));
    dal_plan_destroy(plan);
    dal_spec_destroy(spec);
    dal_diags_finish(&diags);
}

static void test_prediction(void)
{
    check_prediction(&on_cores);
    check_prediction(&on_devices);
}

/* Processes that fire in turn, or are launched as one, are one actor, and no others are. Returns
 * how many pairs are. */
static size_t check_actors(const struct dal_model *m)
{
    const struct dal_plan *plan = m->plan;
    int *turns = dal_calloc(plan->process_count + 1, sizeof(*turns));
    size_t pairs = 0;
    CU_ASSERT_FATAL(turns && dal_plan_turns(plan, turns) >= 0);
    for (size_t i = 0; i < plan->process_count; i++)
        for (size_t k = 0; k < i; k++) {
            size_t a = plan->order[i], b = plan->order[k];
            const struct dal_plan_group *group = plan->processes[a].group;
            int is_one = (group && group == plan->processes[b].group) ||
                         (turns[i] >= 0 && turns[i] == turns[k]);
            CU_ASSERT_EQUAL(m->actor_of[a] == m->actor_of[b], is_one);
            pairs += (size_t)is_one;
        }
    dal_free(turns);
    return pairs;
}

/* An actor's ends are those of the model's channels. */
static void check_ends(const struct dal_sdf_graph *graph)
{
    size_t ends = 0;
    for (size_t i = 0; i < graph->process_count; i++)
        for (size_t k = 0; k < graph->processes[i].count; k++) {
            const struct dal_sdf_end *end = &graph->ends[graph->processes[i].first + k];
            const struct dal_sdf_channel *channel = &graph->channels[end->channel];
            CU_ASSERT_EQUAL(end->output ? channel->producer : channel->consumer, i);
            ends++;
        }
    CU_ASSERT_EQUAL(ends, 2 * graph->channel_count);
}

static size_t check_model(const struct inputs *inputs)
{
    struct dal_diags diags;
    struct dal_model model;
    struct dal_spec *spec;
    struct dal_plan *plan;
    size_t pairs;
    dal_diags_init(&diags);
    plan = plan_with_times(&diags, inputs, &spec);
    CU_ASSERT_EQUAL_FATAL(dal_model_make(&model, plan), DAL_OK);
    pairs = check_actors(&model);
    check_ends(&model.graph);
    dal_model_finish(&model);
    dal_plan_destroy(plan);
    dal_spec_destroy(spec);
    dal_diags_finish(&diags);
    return pairs;
}

/* Nobody fires with others; a group of two on a device; two in turn on each of two cores. */
static void test_model(void)
{
    static const struct inputs on_groups = {"synth/golden/chain.xml", "synth/golden/rack.xml",
                                            "synth/golden/spread.xml"};
    static const struct inputs on_two_cores = {"times/input/chain.xml", "synth/golden/machine.xml",
                                               "synth/input/pairs.xml"};
    CU_ASSERT_EQUAL(check_model(&on_cores), 0);
    CU_ASSERT_EQUAL(check_model(&on_devices), 0);
    CU_ASSERT_EQUAL(check_model(&on_groups), 1);
    CU_ASSERT_EQUAL(check_model(&on_two_cores), 2);
}

/* One network twice under a state machine. */
static int synthesise_fsm(void)
{
    char file[PATH_MAX], machine[PATH_MAX];
    struct dal_applications all = {0};
    struct dal_tree tree = {0};
    struct dal_diags diags;
    int error;
    locate(file, "synth/golden/duet.xml");
    locate(machine, "synth/golden/rack.xml");
    dal_diags_init(&diags);
    error = dal_applications_of_fsm(&diags, &all, file, NULL, 0);
    if (!error)
        error = dal_applications_load(&diags, &all, machine, NULL);
    if (!error)
        error = dal_applications_place(&diags, &all, 0);
    if (!error)
        error = dal_applications_plan(&diags, &all);
    if (!error) {
        struct dal_emit emit = {
            .plan = all.plans[0],
            .fsm = all.fsm,
            .first_file = file,
            .program = "duet",
            .source_dir = "/",
            .output_dir = "/out",
            .dal_cflags = "",
        };
        error = dal_emit(&emit, &tree);
    }
    dal_tree_finish(&tree);
    dal_applications_finish(&all);
    dal_diags_finish(&diags);
    return error;
}

static void test_memory_fsm(void)
{
    unsigned long n, failed = 0;
    CU_ASSERT_EQUAL_FATAL(synthesise_fsm(), DAL_OK);
    for (n = 1; n < 100000; n += 1 + n / 50) {
        int error;
        dal_alloc_fail_at(n);
        error = synthesise_fsm();
        if (!error)
            break;
        failed++;
    }
    dal_alloc_fail_at(0);
    CU_ASSERT(failed > 100);
    CU_ASSERT(n < 100000);
}

/* Whichever allocation fails, it ends in an error, and the sanitizers see nothing. The last ones
 * are only tried in steps: the sweep would take minutes. */
static void test_memory(void)
{
    unsigned long n, failed = 0;
    CU_ASSERT_EQUAL_FATAL(synthesise(&on_devices), DAL_OK);
    for (n = 1; n < 100000; n += 1 + n / 100) {
        int error;
        dal_alloc_fail_at(n);
        error = synthesise(&on_devices);
        if (!error)
            break;
        failed++;
    }
    dal_alloc_fail_at(0);
    CU_ASSERT(failed > 100);
    CU_ASSERT(n < 100000);
    CU_ASSERT_EQUAL(synthesise(&on_cores), DAL_OK);
}

/* A kernel that cannot be a function of another, and no memory for the words that say so. */
static void test_obstacle(void)
{
    char kernel[] = "Fire";
    struct dal_fact facts[] = {
        {.kind = DAL_FACT_FUNCTION, .name = kernel, .function = {.is_kernel = 1}},
        {.kind = DAL_FACT_NAME, .name = "get_group_id"},
    };
    struct dal_variant variant = {.facts = {.list = facts, .count = 2}};
    struct dal_variants variants = {.list = &variant, .count = 1};
    struct dal_spec_source source = {.type = DAL_SOURCE_OPENCL};
    struct dal_plan_unit unit = {.source = &source, .variants = &variants, .kernel = kernel};
    char *reason = NULL;
    CU_ASSERT_EQUAL(dal__group_obstacle(&unit, &reason), DAL_ERR_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(reason);
    dal_free(reason);
    dal_alloc_fail_at(1);
    CU_ASSERT_EQUAL(dal__group_obstacle(&unit, &reason), DAL_ERR_NOMEM);
    dal_alloc_fail_at(0);
    variant.facts.count = 1;
    CU_ASSERT_EQUAL(dal__group_obstacle(&unit, &reason), DAL_OK);
}

int main(void)
{
    static const struct test tests[] = {
        {"literal", test_literal},
        {"comment", test_comment},
        {"keeps", test_keeps},
        {"obstacle", test_obstacle},
        {"predict", test_predict},
        {"ways", test_ways},
        {"link", test_link},
        {"model", test_model},
        {"prediction", test_prediction},
        {"advice", test_advice},
        {"memory", test_memory},
        {"memory, state machine", test_memory_fsm},
    };
    return run_suite("synth", tests, sizeof(tests) / sizeof(tests[0]));
}
