/*
 * The rules of dalbench thesis, on made-up numbers: just above each threshold, just below, and
 * where the spread reaches across it.
 */
#include "bench/thesis.h"

#include "test/suite.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <string.h>

enum { MOST_RECORDS = 8 };

#define RATE(NAME, S, I, BYTES, VALUE)                                                             \
    {                                                                                              \
        .experiment = "channel", .name = NAME, .copies = (S), .items = (I), .param = (BYTES),      \
        .unit = "GB/s", .rate = 1, .value = (VALUE)                                                \
    }
#define FRAMES(NAME, S, I, VALUE)                                                                  \
    {                                                                                              \
        .experiment = "video", .name = NAME, .copies = (S), .items = (I), .param = (S),            \
        .unit = "frames/s", .rate = 1, .value = (VALUE)                                            \
    }
#define TIME(NAME, I, WORK, VALUE)                                                                 \
    {                                                                                              \
        .experiment = "overhead", .name = NAME, .items = (I), .param = (WORK), .unit = "us/token", \
        .value = (VALUE)                                                                           \
    }
/* The task queue takes VALUE us, the callbacks DIRECT us. */
#define QUEUE(NAME, DIRECT, VALUE)                                                                 \
    {                                                                                              \
        .experiment = "activation", .name = NAME, .against = "direct", .unit = "us/token",         \
        .value = (VALUE), .has_limit = 1, .limit = (DIRECT)                                        \
    }

/* What the rule compares is `number` while the first record is as it stands, and grows with it,
 * or, if `falls`, with its inverse. The records behind are those that it is compared with, and
 * some that it must not take. */
static const struct sample {
    const char *rule;
    long cores, gpus, units;
    double number;
    int falls;
    struct bench_record records[MOST_RECORDS];
} samples[] = {
    {"naive",
     2,
     1,
     0,
     10,
     0,
     {RATE("same device, S=2 I=16", 2, 16, 4096, 20), RATE("same device, S=2 I=1", 2, 1, 512, 1),
      RATE("same device, naive, S=2 I=16", 2, 16, 4096, 2),
      RATE("same device, naive, S=2 I=16", 2, 16, 512, 1),
      RATE("core to device, filled, S=2 I=16", 2, 16, 4096, 30)}},
    {"items",
     2,
     1,
     0,
     4,
     0,
     {RATE("same device, S=2 I=64", 2, 64, 4096, 20), RATE("same device, S=2 I=1", 2, 1, 4096, 5),
      RATE("same device, S=2 I=1", 2, 1, 512, 1),
      RATE("same device, naive, S=2 I=1", 2, 1, 512, 40)}},
    {"sizes",
     2,
     1,
     0,
     8,
     0,
     {RATE("same device, S=2 I=64", 2, 64, 65536, 16), RATE("same device, S=2 I=64", 2, 64, 512, 2),
      RATE("same device, S=2 I=1", 2, 1, 512, 1)}},
    {"between",
     2,
     1,
     0,
     0.5,
     0,
     {RATE("core to device, filled, S=2 I=64", 2, 64, 65536, 10),
      RATE("device to core, read, S=2 I=64", 2, 64, 65536, 0.1),
      RATE("same device, S=2 I=64", 2, 64, 512, 20),
      RATE("core to device, S=2 I=64", 2, 64, 512, 40)}},
    {"seldom",
     2,
     0,
     2,
     2,
     1,
     {QUEUE("capacity 8", 1000, 500), QUEUE("capacity 1", 10, 100), QUEUE("capacity 8", 10, 1)}},
    {"one token",
     2,
     0,
     2,
     0.5,
     1,
     {QUEUE("capacity 1", 10, 20), QUEUE("capacity 8", 5, 1), QUEUE("capacity 1", 1000, 10)}},
    {"more tokens",
     2,
     0,
     2,
     2,
     1,
     {QUEUE("capacity 8", 20, 10), QUEUE("capacity 8", 1000, 2000), QUEUE("capacity 1", 10, 1),
      QUEUE("capacity 2", 10, 1000)}},
    {"most often",
     2,
     0,
     2,
     0.5,
     1,
     {QUEUE("capacity 8", 5, 5), QUEUE("capacity 8", 20, 10), QUEUE("capacity 1", 1, 10)}},
    {"short firings",
     2,
     0,
     2,
     4,
     0,
     {TIME("OpenCL I=1", 1, 1, 8), TIME("OpenCL I=16", 16, 1, 80), TIME("C -O2", 0, 1, 2),
      TIME("C -O0", 0, 1, 1), TIME("C -O3 -march=native", 0, 1, 20), TIME("C -O2", 0, 1000, 1)}},
    {"catching up",
     2,
     0,
     2,
     3,
     1,
     {TIME("OpenCL I=16", 16, 1000, 20), TIME("OpenCL I=16", 16, 1, 30), TIME("C -O2", 0, 1, 1),
      TIME("C -O2", 0, 1000, 2)}},
    {"long firings",
     2,
     0,
     2,
     2,
     1,
     {TIME("OpenCL I=16", 16, 1000, 10), TIME("OpenCL I=1", 1, 1000, 50),
      TIME("C -O2", 0, 1000, 90), TIME("C -O3 -march=native", 0, 1000, 20),
      TIME("OpenCL I=16", 16, 1, 1)}},
    {"one work-item",
     2,
     0,
     2,
     4,
     0,
     {TIME("OpenCL I=1", 1, 1000, 40), TIME("OpenCL I=16", 16, 1000, 1),
      TIME("C -O3 -march=native", 0, 1000, 10), TIME("C -O2", 0, 1000, 1),
      TIME("OpenCL I=1", 1, 1, 1)}},
    {"vectors",
     2,
     0,
     2,
     1.5,
     0,
     {FRAMES("kernels, one core, S=1 I=4", 1, 4, 90),
      FRAMES("kernels, one core, S=1 I=1", 1, 1, 60),
      FRAMES("kernels, one core, S=1 I=2", 1, 2, 500),
      FRAMES("kernels, all cores, S=1 I=4", 1, 4, 500)}},
    {"cores",
     8,
     0,
     8,
     0.8,
     0,
     {FRAMES("kernels, all cores, S=3 I=4", 3, 4, 240),
      FRAMES("kernels, one core, S=1 I=4", 1, 4, 100),
      FRAMES("kernels, one core, S=1 I=1", 1, 1, 60), FRAMES("kernels, GPU, S=1 I=1", 1, 1, 600)}},
    {"speed-up",
     2,
     1,
     2,
     60,
     0,
     {FRAMES("kernels, GPU, S=16 I=64", 16, 64, 2400),
      FRAMES("kernels, one core, S=1 I=1", 1, 1, 40),
      FRAMES("kernels, one core, S=1 I=4", 1, 4, 60)}},
    {"copies",
     2,
     1,
     2,
     4,
     0,
     {FRAMES("kernels, GPU, S=16 I=64", 16, 64, 400), FRAMES("kernels, GPU, S=1 I=64", 1, 64, 100),
      FRAMES("kernels, all cores, S=1 I=64", 1, 64, 500)}},
    {"speed-up, all",
     2,
     1,
     2,
     60,
     0,
     {FRAMES("kernels, GPU, S=16 I=64", 16, 64, 2400),
      FRAMES("kernels, one core, S=1 I=1", 1, 1, 40)}},
    {"groups",
     3,
     0,
     3,
     1.5,
     0,
     {FRAMES("kernels, all cores, S=3 I=4", 3, 4, 150),
      FRAMES("kernels, all cores, S=4 I=4", 4, 4, 100),
      FRAMES("kernels, all cores, S=2 I=4", 2, 4, 500),
      FRAMES("kernels, all cores, S=8 I=4", 8, 4, 400),
      FRAMES("kernels, all cores, S=4 I=1", 4, 1, 50)}},
    {"peak",
     2,
     1,
     2,
     3,
     0,
     {FRAMES("kernels, GPU, S=16 I=64", 16, 64, 300), FRAMES("C, all cores", 0, 0, 100),
      FRAMES("kernels, one core, S=1 I=1", 1, 1, 40)}},
};
enum { SAMPLES = sizeof(samples) / sizeof(samples[0]) };

static const struct thesis_rule *find_rule(const char *name)
{
    for (size_t i = 0; i < thesis_rule_count; i++)
        if (strcmp(thesis_rules[i].name, name) == 0)
            return &thesis_rules[i];
    printf("no rule '%s' ", name);
    return NULL;
}

/* Gives every record a range of so many times its value, down and up. */
static size_t spread(struct bench_record *records, double times)
{
    size_t count = 0;
    for (struct bench_record *r = records; count < MOST_RECORDS && r->experiment; r++, count++) {
        r->value_min = r->value / times;
        r->value_max = r->value * times;
        r->limit_min = r->limit / times;
        r->limit_max = r->limit * times;
    }
    return count;
}

/* Judges a sample whose number is `wanted`. */
static enum thesis_verdict judge(const struct sample *sample, double wanted, double times,
                                 char *text, size_t size)
{
    struct sample made = *sample;
    struct thesis_run run = {.records = made.records,
                             .repetitions = 3,
                             .cores = made.cores,
                             .gpus = made.gpus,
                             .units = made.units};
    const struct thesis_rule *rule = find_rule(sample->rule);
    struct thesis_range range = {0};
    enum thesis_verdict verdict;
    double change = wanted / sample->number;
    made.records[0].value *= sample->falls ? 1 / change : change;
    run.count = spread(made.records, times);
    if (!rule)
        return THESIS_MISSING;
    verdict = thesis_judge(&run, rule, &range);
    if (fabs(range.value / wanted - 1) > 1e-9)
        printf("%s: %g instead of %g ", sample->rule, range.value, wanted);
    CU_ASSERT(fabs(range.value / wanted - 1) < 1e-9);
    thesis_sentence(&run, rule, text, size);
    return verdict;
}

/* Checks one side of a threshold, from as near as the spread allows. */
static void check_side(const struct sample *sample, double wanted, enum thesis_verdict expected)
{
    static const char *const begins[] = {"agrees: ", "differs: "};
    char text[600];
    enum thesis_verdict found = judge(sample, wanted, 1.0005, text, sizeof(text));
    if (found != expected)
        printf("%s at %g: %s ", sample->rule, wanted, text);
    CU_ASSERT(found == expected);
    CU_ASSERT(strncmp(text, begins[expected], strlen(begins[expected])) == 0);
    CU_ASSERT((strstr(text, "because ") != NULL) == (expected == THESIS_DIFFERS));
}

static void both_sides(void)
{
    char text[600];
    for (int i = 0; i < SAMPLES; i++) {
        const struct thesis_rule *rule = find_rule(samples[i].rule);
        const double ends[] = {rule ? rule->least : 0, rule ? rule->most : 0};
        for (int k = 0; rule && k < 2; k++) {
            if (!isfinite(ends[k]) || ends[k] <= 0)
                continue;
            check_side(&samples[i], ends[k] * (k ? 0.99 : 1.01), THESIS_AGREES);
            check_side(&samples[i], ends[k] * (k ? 1.01 : 0.99), THESIS_DIFFERS);
            CU_ASSERT(judge(&samples[i], ends[k] * 1.01, 1.2, text, sizeof(text)) ==
                      THESIS_UNDECIDED);
            CU_ASSERT(judge(&samples[i], ends[k] * 0.99, 1.2, text, sizeof(text)) ==
                      THESIS_UNDECIDED);
            CU_ASSERT(strncmp(text, "not decided: the spread is ", 27) == 0);
        }
    }
}

/* Each rule on records has a sample. */
static void all_rules(void)
{
    for (size_t i = 0; i < thesis_rule_count; i++) {
        int found = strncmp(thesis_rules[i].figure, "table", 5) == 0;
        for (int k = 0; k < SAMPLES; k++)
            found |= strcmp(samples[k].rule, thesis_rules[i].name) == 0;
        if (!found)
            printf("no sample of '%s' ", thesis_rules[i].name);
        CU_ASSERT(found);
    }
}

/* A range far on one side of the threshold decides nothing either if its ends are far apart. */
static void far_apart(void)
{
    CU_ASSERT(thesis_decide(&(struct thesis_range){100, 99, 101}, 5, INFINITY) == THESIS_AGREES);
    CU_ASSERT(thesis_decide(&(struct thesis_range){100, 58, 173}, 5, INFINITY) == THESIS_AGREES);
    CU_ASSERT(thesis_decide(&(struct thesis_range){100, 57, 175}, 5, INFINITY) == THESIS_UNDECIDED);
    CU_ASSERT(thesis_decide(&(struct thesis_range){1, 0.99, 1.01}, 5, INFINITY) == THESIS_DIFFERS);
    CU_ASSERT(thesis_decide(&(struct thesis_range){1, 0.5, 1.6}, 5, INFINITY) == THESIS_UNDECIDED);
    CU_ASSERT(thesis_decide(&(struct thesis_range){0, 0, 0}, 1, INFINITY) == THESIS_DIFFERS);
}

/* The range of a quotient is as wide as those of both. */
static void ranges(void)
{
    struct bench_record records[] = {RATE("same device, S=2 I=16", 2, 16, 4096, 20),
                                     RATE("same device, naive, S=2 I=16", 2, 16, 4096, 2),
                                     {0}};
    const struct thesis_run run = {
        .records = records, .count = spread(records, 1.2), .repetitions = 3};
    struct thesis_range range = {0};
    CU_ASSERT(thesis_judge(&run, find_rule("naive"), &range) == THESIS_AGREES);
    CU_ASSERT(fabs(range.low - 10 / 1.44) < 1e-9 && fabs(range.high - 14.4) < 1e-9);
}

static void tables(void)
{
    static const struct {
        const char *rule;
        long cores, gpus;
        enum thesis_verdict expected;
    } machines[] = {
        {"setup 1, GPUs", 4, 2, THESIS_AGREES},  {"setup 1, GPUs", 4, 1, THESIS_DIFFERS},
        {"setup 1, cores", 4, 0, THESIS_AGREES}, {"setup 1, cores", 3, 0, THESIS_DIFFERS},
        {"setup 2, GPUs", 4, 1, THESIS_AGREES},  {"setup 2, GPUs", 4, 0, THESIS_DIFFERS},
        {"setup 2, cores", 4, 0, THESIS_AGREES}, {"setup 2, cores", 2, 0, THESIS_DIFFERS},
    };
    for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
        const struct thesis_run run = {.cores = machines[i].cores, .gpus = machines[i].gpus};
        struct thesis_range range;
        CU_ASSERT(thesis_judge(&run, find_rule(machines[i].rule), &range) == machines[i].expected);
    }
}

static void check_missing(const struct thesis_run *run, const char *rule, const char *why)
{
    struct thesis_range range;
    char text[600];
    CU_ASSERT(thesis_judge(run, find_rule(rule), &range) == THESIS_MISSING);
    thesis_sentence(run, find_rule(rule), text, sizeof(text));
    if (strcmp(text, why) != 0)
        printf("%s: %s ", rule, text);
    CU_ASSERT(strcmp(text, why) == 0);
}

static void missing(void)
{
    const struct thesis_run empty = {.cores = 2, .gpus = 1}, small = {.cores = 2};
    check_missing(&empty, "naive", "not compared: not measured in this run");
    check_missing(&small, "speed-up", "not compared: there is no GPU here");
}

/* A machine that was busy during one of two records may have made the difference. */
static void busy(void)
{
    struct bench_record records[] = {RATE("same device, S=2 I=16", 2, 16, 4096, 20),
                                     RATE("same device, naive, S=2 I=16", 2, 16, 4096, 2),
                                     {0}};
    const struct thesis_run run = {
        .records = records, .count = spread(records, 1.01), .repetitions = 3, .gpus = 1};
    struct thesis_range range;
    records[0].loop_ns = 1000;
    records[1].loop_ns = 1100;
    CU_ASSERT(thesis_judge(&run, find_rule("naive"), &range) == THESIS_AGREES);
    CU_ASSERT(fabs(range.low - 10 / 1.1 / 1.01 / 1.01) < 1e-9);
    records[1].loop_ns = 3000;
    CU_ASSERT(thesis_judge(&run, find_rule("naive"), &range) == THESIS_UNDECIDED);
}

/* Of times, both sides of a record suffer. */
static void busy_times(void)
{
    struct bench_record records[] = {QUEUE("capacity 1", 10, 20), QUEUE("capacity 8", 10, 10), {0}};
    const struct thesis_run run = {
        .records = records, .count = spread(records, 1.01), .repetitions = 3};
    struct thesis_range range;
    CU_ASSERT(thesis_judge(&run, find_rule("one token"), &range) == THESIS_AGREES);
    records[0].loop_ns = 1500;
    records[1].loop_ns = 1000;
    CU_ASSERT(thesis_judge(&run, find_rule("one token"), &range) == THESIS_AGREES);
    CU_ASSERT(fabs(range.high - 0.5 * 1.5 * 1.01 * 1.01) < 1e-9);
    records[0].loop_ns = 2500;
    CU_ASSERT(thesis_judge(&run, find_rule("one token"), &range) == THESIS_UNDECIDED);
}

/* One run has no spread, so that nothing is decided. */
static void one_run(void)
{
    struct bench_record records[] = {RATE("same device, S=2 I=16", 2, 16, 4096, 20),
                                     RATE("same device, naive, S=2 I=16", 2, 16, 4096, 2),
                                     {0}};
    const struct thesis_run run = {
        .records = records, .count = spread(records, 1), .repetitions = 1, .gpus = 1};
    struct thesis_range range;
    char text[600];
    CU_ASSERT(thesis_judge(&run, find_rule("naive"), &range) == THESIS_UNDECIDED);
    thesis_sentence(&run, find_rule("naive"), text, sizeof(text));
    CU_ASSERT(strcmp(text, "not decided: the spread is not known of one run") == 0);
}

/* What differs on a processor has a reason of its own where no GPU is. */
static void reasons(void)
{
    struct bench_record records[] = {RATE("same device, S=2 I=16", 2, 16, 4096, 2),
                                     RATE("same device, naive, S=2 I=16", 2, 16, 4096, 1),
                                     {0}};
    struct thesis_run run = {
        .records = records, .count = spread(records, 1.01), .repetitions = 3, .gpus = 1};
    const struct thesis_rule *naive = find_rule("naive");
    char text[600];
    thesis_sentence(&run, naive, text, sizeof(text));
    CU_ASSERT(strstr(text, naive->differs) != NULL);
    run.gpus = 0;
    thesis_sentence(&run, naive, text, sizeof(text));
    CU_ASSERT(strstr(text, naive->differs_on_a_cpu) != NULL);
}

/* The worst verdict of a figure's rules is that of the figure. */
static void figures(void)
{
    struct bench_record records[] = {RATE("same device, S=2 I=16", 2, 16, 65536, 20),
                                     RATE("same device, naive, S=2 I=16", 2, 16, 4096, 2),
                                     RATE("same device, S=2 I=1", 2, 1, 65536, 15),
                                     {0}};
    const struct thesis_run run = {
        .records = records, .count = spread(records, 1.01), .repetitions = 3, .gpus = 1};
    CU_ASSERT(thesis_judge_figure(&run, "6.2") == THESIS_AGREES);
    records[2].value = 40;
    spread(records, 1.01);
    CU_ASSERT(thesis_judge_figure(&run, "6.2") == THESIS_DIFFERS);
    records[2].value = 20;
    spread(records, 1.01);
    CU_ASSERT(thesis_judge_figure(&run, "6.2") == THESIS_UNDECIDED);
    CU_ASSERT(thesis_judge_figure(&run, "6.4") == THESIS_MISSING);
}

int main(void)
{
    static const struct test tests[] = {
        {"a verdict on both sides of each threshold", both_sides},
        {"each rule has made-up numbers", all_rules},
        {"ends that are far apart", far_apart},
        {"ranges of quotients", ranges},
        {"machines beside the tables", tables},
        {"what cannot be compared", missing},
        {"one run", one_run},
        {"a busy machine", busy},
        {"a busy machine, and times", busy_times},
        {"reasons", reasons},
        {"verdicts of figures", figures},
    };
    return run_suite("thesis", tests, sizeof(tests) / sizeof(tests[0]));
}
