/*
 * The table of rules, and what finds their numbers. A number that compares two records is a
 * quotient: its range reaches from the least over the most to the most over the least.
 */
#include "bench/thesis.h"

#include <math.h>
#include <string.h>

/* ---- records --------------------------------------------------------------------------------- */

/* The records that a number is made of. Members that are 0 do not choose. */
struct choice {
    const char *experiment, *begins; /* of the case's name */
    const char *other;               /* another beginning that will do */
    const char *without;             /* a beginning that will not */
    long copies, items;
    int vectors;        /* True: a multiple of four work-items. */
    long least_items;   /* as many work-items at least */
    double least, most; /* of what is swept */
};

static int begins(const char *text, const char *with)
{
    return with && strncmp(text, with, strlen(with)) == 0;
}

static int is_chosen(const struct choice *c, const struct bench_record *r)
{
    return strcmp(r->experiment, c->experiment) == 0 &&
           (begins(r->name, c->begins) || begins(r->name, c->other)) &&
           !begins(r->name, c->without) && (!c->copies || r->copies == c->copies) &&
           (!c->items || r->items == c->items) &&
           (!c->vectors || (r->items && r->items % 4 == 0)) && r->items >= c->least_items &&
           r->param >= c->least && (c->most <= 0 || r->param <= c->most);
}

/* Returns the best of the chosen records, or NULL: the highest rate, or the shortest time. */
static const struct bench_record *best(const struct thesis_run *run, const struct choice *choice)
{
    const struct bench_record *found = NULL;
    for (size_t i = 0; i < run->count; i++) {
        const struct bench_record *r = &run->records[i];
        if (is_chosen(choice, r) &&
            (!found || (r->rate ? r->value > found->value : r->value < found->value)))
            found = r;
    }
    return found;
}

/* ---- ranges ---------------------------------------------------------------------------------- */

static struct thesis_range divide(struct thesis_range a, struct thesis_range b)
{
    return (struct thesis_range){a.value / b.value, a.low / b.high, a.high / b.low};
}

/* Returns how many times slower than at its best the machine was during a record: something else
 * was running. */
static double slowness(const struct thesis_run *run, const struct bench_record *r)
{
    double least = r->loop_ns;
    for (size_t i = 0; i < run->count; i++)
        if (run->records[i].loop_ns > 0 && run->records[i].loop_ns < least)
            least = run->records[i].loop_ns;
    return least > 0 ? r->loop_ns / least : 1;
}

/* Widens a range towards what it might have been without anything else running. */
static struct thesis_range widen(const struct thesis_run *run, const struct bench_record *r,
                                 struct thesis_range range)
{
    if (r->rate)
        range.high *= slowness(run, r);
    else
        range.low /= slowness(run, r);
    return range;
}

static struct thesis_range range_of(const struct thesis_run *run, const struct bench_record *r)
{
    return widen(run, r, (struct thesis_range){r->value, r->value_min, r->value_max});
}

/* Returns how much faster a record is than its limit, of times. */
static struct thesis_range speed_up_of(const struct thesis_run *run, const struct bench_record *r)
{
    const struct thesis_range limit = {r->limit, r->limit_min, r->limit_max};
    return divide(widen(run, r, limit), range_of(run, r));
}

/* Finds the best of `of` over the best of `over`. */
static int quotient(const struct thesis_run *run, struct choice of, struct choice over,
                    struct thesis_range *range)
{
    const struct bench_record *a = best(run, &of), *b = best(run, &over);
    if (!a || !b)
        return 0;
    *range = divide(range_of(run, a), range_of(run, b));
    return 1;
}

/* ---- figure 6.2 ------------------------------------------------------------------------------ */

enum { SMALL_BYTES = 512, LARGE_BYTES = 65536 };

static const struct choice same_device = {.experiment = "channel", .begins = "same device, S="};

static int over_naive(const struct thesis_run *run, struct thesis_range *range)
{
    return quotient(run, same_device,
                    (struct choice){.experiment = "channel", .begins = "same device, naive"},
                    range);
}

static int more_items(const struct thesis_run *run, struct thesis_range *range)
{
    struct choice more = same_device, one = same_device;
    more.least_items = 2;
    one.items = 1;
    return quotient(run, more, one, range);
}

static int larger_tokens(const struct thesis_run *run, struct thesis_range *range)
{
    struct choice large = same_device, small = same_device;
    large.least = LARGE_BYTES;
    small.most = SMALL_BYTES;
    return quotient(run, large, small, range);
}

static int between_core_and_device(const struct thesis_run *run, struct thesis_range *range)
{
    return quotient(run,
                    (struct choice){.experiment = "channel",
                                    .begins = "core to device, filled",
                                    .other = "device to core, read"},
                    same_device, range);
}

/* ---- figure 6.4 ------------------------------------------------------------------------------ */

static int is_activation(const struct bench_record *r, int one_token)
{
    return strcmp(r->experiment, "activation") == 0 && r->against &&
           strcmp(r->against, "direct") == 0 && (strcmp(r->name, "capacity 1") == 0) == one_token;
}

/* Returns the record in which callbacks launch most often, or, with -1, least often. */
static const struct bench_record *by_frequency(const struct thesis_run *run, int one_token,
                                               int sign)
{
    const struct bench_record *found = NULL;
    for (size_t i = 0; i < run->count; i++) {
        const struct bench_record *r = &run->records[i];
        if (is_activation(r, one_token) && (!found || sign * (found->limit - r->limit) > 0))
            found = r;
    }
    return found;
}

/* Returns the record whose speed-up is surely the largest, but for one. */
static const struct bench_record *best_speed_up(const struct thesis_run *run,
                                                const struct bench_record *but)
{
    const struct bench_record *found = NULL;
    for (size_t i = 0; i < run->count; i++) {
        const struct bench_record *r = &run->records[i];
        if (is_activation(r, 0) && r != but &&
            (!found || speed_up_of(run, r).low > speed_up_of(run, found).low))
            found = r;
    }
    return found;
}

static int take_speed_up(const struct thesis_run *run, const struct bench_record *r,
                         struct thesis_range *range)
{
    if (r)
        *range = speed_up_of(run, r);
    return r != NULL;
}

static int when_seldom(const struct thesis_run *run, struct thesis_range *range)
{
    return take_speed_up(run, by_frequency(run, 0, -1), range);
}

static int with_one_token(const struct thesis_run *run, struct thesis_range *range)
{
    return take_speed_up(run, by_frequency(run, 1, 1), range);
}

static int with_more_tokens(const struct thesis_run *run, struct thesis_range *range)
{
    return take_speed_up(run, best_speed_up(run, NULL), range);
}

static int when_most_often(const struct thesis_run *run, struct thesis_range *range)
{
    const struct bench_record *often = by_frequency(run, 0, 1), *top = best_speed_up(run, often);
    if (!often || !top)
        return 0;
    *range = divide(speed_up_of(run, often), speed_up_of(run, top));
    return 1;
}

/* ---- figure 6.6 ------------------------------------------------------------------------------ */

/* Sets the least, or with 1 the most, work that was measured; returns 0 if there is none. */
static int end_of_work(const struct thesis_run *run, int most, double *work)
{
    int found = 0;
    for (size_t i = 0; i < run->count; i++) {
        const struct bench_record *r = &run->records[i];
        if (strcmp(r->experiment, "overhead") != 0)
            continue;
        if (!found || (most ? r->param > *work : r->param < *work))
            *work = r->param;
        found = 1;
    }
    return found;
}

/* Finds the time of the best kernel over that of the best C. */
static int kernel_over_c(const struct thesis_run *run, int most, struct thesis_range *range)
{
    struct choice kernel = {.experiment = "overhead", .begins = "OpenCL"};
    struct choice c = {.experiment = "overhead", .begins = "C -O2", .other = "C -O3"};
    if (!end_of_work(run, most, &kernel.least))
        return 0;
    kernel.most = c.least = c.most = kernel.least;
    return quotient(run, kernel, c, range);
}

static int short_firings(const struct thesis_run *run, struct thesis_range *range)
{
    return kernel_over_c(run, 0, range);
}

static int long_firings(const struct thesis_run *run, struct thesis_range *range)
{
    struct thesis_range found;
    if (!kernel_over_c(run, 1, &found))
        return 0;
    *range = divide((struct thesis_range){1, 1, 1}, found);
    return 1;
}

static int catching_up(const struct thesis_run *run, struct thesis_range *range)
{
    struct thesis_range at_first, at_last;
    if (!kernel_over_c(run, 0, &at_first) || !kernel_over_c(run, 1, &at_last))
        return 0;
    *range = divide(at_first, at_last);
    return 1;
}

static int one_item_over_c(const struct thesis_run *run, struct thesis_range *range)
{
    struct choice kernel = {.experiment = "overhead", .begins = "OpenCL", .items = 1};
    struct choice c = {.experiment = "overhead", .begins = "C -O3"};
    if (!end_of_work(run, 1, &kernel.least))
        return 0;
    kernel.most = c.least = c.most = kernel.least;
    return quotient(run, kernel, c, range);
}

/* ---- figures 6.8 and 6.9 --------------------------------------------------------------------- */

enum { THREADS_OF_THE_THESIS = 3 };

static const struct choice one_core = {.experiment = "video", .begins = "kernels, one core"};
static const struct choice all_cores = {.experiment = "video", .begins = "kernels, all cores"};
static const struct choice gpu = {.experiment = "video", .begins = "kernels, GPU"};
static const struct choice baseline = {
    .experiment = "video", .begins = "kernels, one core", .copies = 1, .items = 1};

static int vectors(const struct thesis_run *run, struct thesis_range *range)
{
    struct choice fours = one_core;
    fours.vectors = 1;
    return quotient(run, fours, baseline, range);
}

static int speed_up_a_core(const struct thesis_run *run, struct thesis_range *range)
{
    const long most = THREADS_OF_THE_THESIS;
    double cores = (double)(run->cores < most ? run->cores : most);
    if (!quotient(run, all_cores, one_core, range))
        return 0;
    *range = divide(*range, (struct thesis_range){cores, cores, cores});
    return 1;
}

static int speed_up_of_gpu(const struct thesis_run *run, struct thesis_range *range)
{
    return quotient(run, gpu, baseline, range);
}

/* Returns the S of a record that is next above `copies`, or 0. */
static long next_copies(const struct thesis_run *run, const struct choice *of, long copies)
{
    long next = 0;
    for (size_t i = 0; i < run->count; i++) {
        long s = run->records[i].copies;
        if (is_chosen(of, &run->records[i]) && s > copies && (!next || s < next))
            next = s;
    }
    return next;
}

static int more_copies(const struct thesis_run *run, struct thesis_range *range)
{
    struct choice one = gpu, most = gpu;
    one.copies = 1;
    for (long s = 0; (s = next_copies(run, &gpu, s)) != 0;)
        most.copies = s;
    return quotient(run, most, one, range);
}

static int aligned_groups(const struct thesis_run *run, struct thesis_range *range)
{
    struct choice aligned = all_cores, next = all_cores;
    aligned.copies = run->units;
    next.copies = next_copies(run, &all_cores, run->units);
    return aligned.copies && next.copies && quotient(run, aligned, next, range);
}

static int gpu_over_cores(const struct thesis_run *run, struct thesis_range *range)
{
    return quotient(run, gpu,
                    (struct choice){.experiment = "video",
                                    .begins = "C, ",
                                    .other = "kernels, ",
                                    .without = "kernels, GPU"},
                    range);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static int exactly(long number, struct thesis_range *range)
{
    *range = (struct thesis_range){(double)number, (double)number, (double)number};
    return 1;
}

static int count_gpus(const struct thesis_run *run, struct thesis_range *range)
{
    return exactly(run->gpus, range);
}

static int count_cores(const struct thesis_run *run, struct thesis_range *range)
{
    return exactly(run->cores, range);
}

/* ---- the rules ------------------------------------------------------------------------------- */

const struct thesis_rule thesis_rules[] = {
    {.name = "setup 1, GPUs",
     .figure = "table 6.1",
     .compared = "GPUs",
     .thesis = "two",
     .least = 2,
     .most = INFINITY,
     .measure = count_gpus,
     .differs = "this machine has fewer GPUs: what runs on two of them is not compared",
     .differs_on_a_cpu = "this machine has no GPU: what runs on one is not compared"},
    {.name = "setup 1, cores",
     .figure = "table 6.1",
     .compared = "cores",
     .thesis = "four, with eight threads",
     .least = 4,
     .most = INFINITY,
     .measure = count_cores,
     .differs = "this machine has fewer cores: speed-ups on all cores are smaller"},
    {.name = "setup 2, GPUs",
     .figure = "table 6.2",
     .compared = "GPUs",
     .thesis = "one",
     .least = 1,
     .most = INFINITY,
     .measure = count_gpus,
     .differs = "this machine has no GPU: what runs on one is not compared"},
    {.name = "setup 2, cores",
     .figure = "table 6.2",
     .compared = "cores",
     .thesis = "four, with eight threads",
     .least = 4,
     .most = INFINITY,
     .measure = count_cores,
     .differs = "this machine has fewer cores: speed-ups on all cores are smaller"},

    {.name = "naive",
     .figure = "6.2",
     .compared = "best rate within a device, over that of the naive channel with the same S",
     .thesis = "18.6 on NVIDIA (20.30 of 1.09 GB/s), 4.8 on AMD (7.96 of 1.67 GB/s)",
     .least = 4.8,
     .most = INFINITY,
     .measure = over_naive,
     .differs = "the bus between this device and the host is nearer to the device's memory than "
                "theirs was",
     .differs_on_a_cpu = "the device's memory is the host's: the naive channel copies within it, "
                         "and no bus is between"},
    {.name = "items",
     .figure = "6.2",
     .compared = "best rate within a device with more work-items, over that with one",
     .thesis = "more work-items might lead to higher rates",
     .least = 1,
     .most = INFINITY,
     .measure = more_items,
     .differs = "one work-item reads and writes as fast as this device can",
     .differs_on_a_cpu =
         "a core does the work-items of a group in turn; more of them only make strides longer"},
    {.name = "sizes",
     .figure = "6.2",
     .compared =
         "best rate within a device with tokens of 64 KB and more, over that with 512 bytes",
     .thesis = "bigger blocks lead to higher rates",
     .least = 1,
     .most = INFINITY,
     .measure = larger_tokens,
     .differs = "S launches as many tokens at a time, whatever their size, and larger ones leave "
                "the device's cache"},
    {.name = "between",
     .figure = "6.2",
     .compared = "best rate between a core and a device, over that within the device",
     .thesis = "0.27 (1.91 and 2.14 of 7.96 GB/s)",
     .least = 0,
     .most = 1,
     .measure = between_core_and_device,
     .differs = "the core's end is C, which makes a token faster than the device's kernel does",
     .differs_on_a_cpu =
         "the device is made of the same cores: C at one end is faster than a kernel at both"},

    {.name = "seldom",
     .figure = "6.4",
     .compared = "speed-up of the task queue at the lowest frequency",
     .thesis = "no speed-up for low frequencies",
     .least = 0.9,
     .most = 1.1,
     .measure = when_seldom,
     .differs =
         "the kernels take so long that what runs beside them decides, not the way of launching"},
    {.name = "one token",
     .figure = "6.4",
     .compared = "speed-up at the highest frequency, with a channel of one token",
     .thesis = "slower than callbacks",
     .least = 0,
     .most = 1,
     .measure = with_one_token,
     .differs = "a callback of this driver takes longer to come than the handler to look"},
    {.name = "more tokens",
     .figure = "6.4",
     .compared = "best speed-up with channels of more tokens",
     .thesis = "faster than callbacks",
     .least = 1,
     .most = INFINITY,
     .measure = with_more_tokens,
     .differs =
         "this driver calls back as soon as a launch is done, and a launch ahead gains nothing"},
    {.name = "most often",
     .figure = "6.4",
     .compared = "speed-up at the highest frequency with more tokens, over the best at others",
     .thesis = "the speed-up declines for very high frequencies",
     .least = 0,
     .most = 0.97,
     .measure = when_most_often,
     .differs = "launches are enqueued faster here than the shortest kernels end"},

    {.name = "short firings",
     .figure = "6.6",
     .compared = "time of the best kernel over that of the best C, least work",
     .thesis = "C performs better for small periods",
     .least = 1,
     .most = INFINITY,
     .measure = short_firings,
     .differs = "launches are batched, and cost less here than firings of C"},
    {.name = "catching up",
     .figure = "6.6",
     .compared = "that quotient with the least work, over the one with the most",
     .thesis = "the overhead is less crucial for longer periods",
     .least = 2,
     .most = INFINITY,
     .measure = catching_up,
     .differs = "what a launch costs is as small a part of the shortest firing as of the longest"},
    {.name = "long firings",
     .figure = "6.6",
     .compared = "time of the best C over that of the best kernel, most work",
     .thesis = "OpenCL achieves even higher speed-ups than optimised C",
     .least = 1,
     .most = INFINITY,
     .measure = long_firings,
     .differs =
         "both compilers make vectors of the same loop today, and C has no launch to pay for"},
    {.name = "one work-item",
     .figure = "6.6",
     .compared = "time of the kernel with I=1 over that of C with -O3, most work",
     .thesis = "-O3 is always faster than OpenCL with I=1",
     .least = 1,
     .most = INFINITY,
     .measure = one_item_over_c,
     .differs =
         "OpenCL's compiler makes vectors of one work-item's loop as well, which theirs did not"},

    {.name = "vectors",
     .figure = "6.8",
     .compared = "frames/s on one core with a multiple of four work-items, over those with one",
     .thesis = "1.48 (62 of 42 frames/s)",
     .least = 1.2,
     .most = INFINITY,
     .measure = vectors,
     .differs = "the compiler makes vectors of one work-item's loops as well"},
    {.name = "cores",
     .figure = "6.8",
     .compared = "frames/s of kernels on all cores over those on one, for each core up to three",
     .thesis = "0.83 (156 of 62 frames/s on three threads)",
     .least = 0.6,
     .most = INFINITY,
     .measure = speed_up_a_core,
     .differs = "the device's threads, the decoders and the runtime's handler share these cores"},
    {.name = "speed-up",
     .figure = "6.8",
     .compared = "best frames/s with a GPU over the baseline",
     .thesis = "55 (2347 of 42 frames/s)",
     .least = 55,
     .most = INFINITY,
     .needs_gpu = 1,
     .measure = speed_up_of_gpu,
     .differs =
         "decoding on the cores limits it, and the baseline's kernels are faster than theirs were"},
    {.name = "copies",
     .figure = "6.8",
     .compared = "best frames/s of the GPU with the most shadow copies, over those with one",
     .thesis = "more shadow copies are beneficial",
     .least = 1,
     .most = INFINITY,
     .needs_gpu = 1,
     .measure = more_copies,
     .differs = "one frame a launch already keeps up with decoding"},

    {.name = "speed-up, all",
     .figure = "6.9",
     .compared = "best frames/s with all cores and a GPU over the baseline",
     .thesis = "25 (931 frames/s)",
     .least = 25,
     .most = INFINITY,
     .needs_gpu = 1,
     .measure = speed_up_of_gpu,
     .differs =
         "decoding on the cores limits it, and the baseline's kernels are faster than theirs were"},
    {.name = "groups",
     .figure = "6.9",
     .compared =
         "frames/s on all cores with S = the compute units, over those with the next larger S",
     .thesis = "as many work-groups as units are faster than one more",
     .least = 1,
     .most = INFINITY,
     .measure = aligned_groups,
     .differs =
         "idle threads take the groups that are left over, and larger launches cost less a frame"},
    {.name = "peak",
     .figure = "6.9",
     .compared = "best frames/s with a GPU over the best without",
     .thesis = "the peak is with all cores and the GPU",
     .least = 1,
     .most = INFINITY,
     .needs_gpu = 1,
     .measure = gpu_over_cores,
     .differs = "C on all cores decodes and filters faster than the bus brings frames"},
};
const size_t thesis_rule_count = sizeof(thesis_rules) / sizeof(thesis_rules[0]);

/* ---- verdicts -------------------------------------------------------------------------------- */

enum thesis_verdict thesis_decide(const struct thesis_range *range, double least, double most)
{
    if (range->high > range->low * THESIS_FAR_APART)
        return THESIS_UNDECIDED;
    if (range->low >= least && range->high <= most)
        return THESIS_AGREES;
    return range->high < least || range->low > most ? THESIS_DIFFERS : THESIS_UNDECIDED;
}

/* Returns whether the number is a count, without a spread. */
static int is_counted(const struct thesis_rule *rule)
{
    return strncmp(rule->figure, "table", 5) == 0;
}

enum thesis_verdict thesis_judge(const struct thesis_run *run, const struct thesis_rule *rule,
                                 struct thesis_range *range)
{
    if ((rule->needs_gpu && !run->gpus) || !rule->measure(run, range))
        return THESIS_MISSING;
    if (!is_counted(rule) && run->repetitions < 2)
        return THESIS_UNDECIDED;
    return thesis_decide(range, rule->least, rule->most);
}

enum thesis_verdict thesis_judge_figure(const struct thesis_run *run, const char *figure)
{
    static const int weights[] = {
        [THESIS_MISSING] = 0, [THESIS_AGREES] = 1, [THESIS_UNDECIDED] = 2, [THESIS_DIFFERS] = 3};
    enum thesis_verdict worst = THESIS_MISSING;
    for (size_t i = 0; i < thesis_rule_count; i++) {
        struct thesis_range range;
        enum thesis_verdict found;
        if (strcmp(thesis_rules[i].figure, figure) != 0)
            continue;
        found = thesis_judge(run, &thesis_rules[i], &range);
        if (weights[found] > weights[worst])
            worst = found;
    }
    return worst;
}

static void write_range(const struct thesis_range *range, char *text, size_t size)
{
    if (range->low < range->high)
        snprintf(text, size, "%.3g (%.3g to %.3g)", range->value, range->low, range->high);
    else
        snprintf(text, size, "%g", range->value);
}

void thesis_sentence(const struct thesis_run *run, const struct thesis_rule *rule, char *text,
                     size_t size)
{
    struct thesis_range range = {0};
    char number[80];
    const char *why = run->gpus || !rule->differs_on_a_cpu ? rule->differs : rule->differs_on_a_cpu;
    switch (thesis_judge(run, rule, &range)) {
    case THESIS_AGREES:
        write_range(&range, number, sizeof(number));
        snprintf(text, size, "agrees: %s", number);
        return;
    case THESIS_DIFFERS:
        write_range(&range, number, sizeof(number));
        snprintf(text, size, "differs: %s, because %s", number, why);
        return;
    case THESIS_UNDECIDED:
        if (run->repetitions < 2)
            snprintf(text, size, "not decided: the spread is not known of one run");
        else
            snprintf(text, size, "not decided: the spread is %.3g to %.3g", range.low, range.high);
        return;
    case THESIS_MISSING:
        snprintf(text, size, "not compared: %s",
                 rule->needs_gpu && !run->gpus ? "there is no GPU here"
                                               : "not measured in this run");
    }
}
