#define _GNU_SOURCE
/*
 * Time: releases of periodic processes, and latencies. First the counting alone, with clocks that
 * are made up; then networks in hand-written tables. There, what is looked at are orders and
 * counts, and that things take no less time than they must: nothing depends on how fast the machine
 * is. A token's value is its number in its channel, so that every process knows what it has to
 * find.
 */
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/devices/devices.h"
#include "rt/network/network.h"
#include "rt/nodes/part.h"
#include "rt/observe/counters.h"
#include "rt/observe/timing.h"
#include "rt/ocl/backend.h"
#include "rt/watch/monitor.h"

#include "test/capture.h"
#include "test/suite.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

enum { MOST = 5, ARCS = 5, PORTS = 3, LATENCIES = 3 };
#define MS   INT64_C(1000000)
#define HOUR (3600 * 1000 * MS)

/* ---- a timer by itself ----------------------------------------------------------------------- */

/* At a time so many firings are due; then some are fired, and the next release is at another. */
struct moment {
    int64_t now_ns;
    uint64_t due, fired;
    int64_t next_ns;
};

/* With a period of 10, a phase of 5, a start at 100, a deadline of 8. */
struct day {
    enum dal_overrun overrun;
    uint64_t repetitions;
    struct moment moments[8]; /* up to one at 0 */
    uint64_t releases, misses, overruns, skipped;
};

static const struct day days[] = {
    /* in time: at the release, later, at the deadline, and behind it */
    {DAL_OVERRUN_DELAY,
     1,
     {{100, 0, 0, 105}, {104, 0, 0, 105}, {105, 1, 1, 115}, {123, 1, 1, 125}, {134, 1, 1, 135}},
     3,
     1,
     0,
     0},
    /* some of a release's firings at a time */
    {DAL_OVERRUN_CATCHUP,
     3,
     {{105, 3, 1, 105}, {106, 2, 0, 105}, {106, 2, 2, 115}, {107, 0, 0, 115}, {116, 3, 3, 125}},
     2,
     0,
     0,
     0},
    /* through when the next is due: no overrun; behind that: one */
    {DAL_OVERRUN_DELAY, 1, {{115, 1, 1, 115}, {126, 1, 1, 126}, {127, 1, 1, 136}}, 3, 2, 1, 0},
    {DAL_OVERRUN_CATCHUP, 1, {{115, 1, 1, 115}, {126, 1, 1, 125}, {127, 1, 1, 135}}, 3, 2, 1, 0},
    {DAL_OVERRUN_SKIP, 1, {{115, 1, 1, 115}, {126, 1, 1, 135}, {127, 0, 0, 135}}, 2, 2, 1, 1},
    /* late by several periods: exactly, and by one more or less */
    {DAL_OVERRUN_DELAY, 1, {{145, 1, 1, 145}, {145, 1, 1, 155}, {146, 0, 0, 155}}, 2, 1, 1, 0},
    {DAL_OVERRUN_CATCHUP,
     1,
     {{145, 1, 1, 115}, {145, 1, 1, 125}, {145, 1, 1, 135}, {145, 1, 1, 145}, {145, 1, 1, 155}},
     5,
     4,
     3,
     0},
    {DAL_OVERRUN_SKIP, 1, {{145, 1, 1, 145}, {145, 1, 1, 155}}, 2, 1, 1, 3},
    {DAL_OVERRUN_SKIP, 1, {{144, 1, 1, 145}, {145, 1, 1, 155}}, 2, 1, 1, 3},
    {DAL_OVERRUN_SKIP, 1, {{146, 1, 1, 155}, {154, 0, 0, 155}, {155, 1, 1, 165}}, 2, 1, 1, 4},
    /* the last of several firings late */
    {DAL_OVERRUN_SKIP, 3, {{105, 3, 2, 105}, {130, 1, 1, 135}, {135, 3, 3, 145}}, 2, 1, 1, 2},
    {DAL_OVERRUN_DELAY, 3, {{105, 3, 2, 105}, {130, 1, 1, 130}, {130, 3, 1, 130}}, 2, 1, 1, 0},
};

static void spend_day(const struct day *day)
{
    const struct dal_period_desc desc = {.period_ns = 10,
                                         .phase_ns = 5,
                                         .deadline_ns = 8,
                                         .repetitions = day->repetitions,
                                         .overrun = day->overrun};
    struct dal_timer timer = {0};
    const struct moment *moment;
    dal_timer_start(&timer, &desc, 100);
    for (moment = day->moments; moment->now_ns; moment++) {
        CU_ASSERT_EQUAL(dal_timer_due(&timer, moment->now_ns), moment->due);
        if (moment->fired)
            dal_timer_begun(&timer, moment->now_ns);
        dal_timer_fired(&timer, moment->fired, moment->now_ns);
        CU_ASSERT_EQUAL(dal_timer_next_ns(&timer), moment->next_ns);
    }
    CU_ASSERT_EQUAL(dal_timer_releases(&timer), day->releases);
    CU_ASSERT_EQUAL(timer.misses, day->misses);
    CU_ASSERT_EQUAL(timer.overruns, day->overruns);
    CU_ASSERT_EQUAL(timer.skipped, day->skipped);
}

/* 48000 tokens a second by a clock that is 200 parts per million fast, in blocks of 64. The first
 * comes after a minute, and blocks are up to a millisecond late, by some pattern. */
static void drifts(void)
{
    struct dal_drift drift = {0};
    CU_ASSERT_EQUAL(dal_drift_per_s(&drift), 0);
    dal_drift_begin(&drift, 48000);
    for (int64_t i = 1; i <= 7500; i++) {
        double due_ns = 1e9 * 64 * (double)i / (48000 * (1 + 200e-6));
        dal_drift_add(&drift, 60000 * MS + (int64_t)due_ns + i * 7919 % 1000 * 1000,
                      (uint64_t)i * 64);
    }
    CU_ASSERT_EQUAL(drift.tokens, 480000);
    CU_ASSERT_DOUBLE_EQUAL(dal_drift_ppm(&drift), 200, 1);
    CU_ASSERT_DOUBLE_EQUAL(dal_drift_per_s(&drift), 48000 * (1 + 200e-6), 0.05);
    dal_drift_begin(&drift, 0);
    CU_ASSERT_EQUAL(dal_drift_ppm(&drift), 0);
}

/* One point, or several at the same time, tell nothing. */
static void no_drift(void)
{
    struct dal_drift drift = {0};
    dal_drift_begin(&drift, 100);
    dal_drift_add(&drift, 5, 7);
    dal_drift_add(&drift, 5, 9);
    CU_ASSERT_EQUAL(dal_drift_per_s(&drift), 0);
    CU_ASSERT_EQUAL(dal_drift_ppm(&drift), 0);
}

/* When the firings of a process begin that is ready at every release, with a period and a deadline
 * of 10, where one of five takes longer. */
static const struct recurrence {
    enum dal_overrun overrun;
    int64_t starts[5];
    uint64_t misses, skipped;
} recurrences[] = {
    {DAL_OVERRUN_DELAY, {0, 10, 35, 45, 55}, 1, 0},
    {DAL_OVERRUN_CATCHUP, {0, 10, 35, 40, 45}, 3, 0},
    {DAL_OVERRUN_SKIP, {0, 10, 40, 50, 60}, 1, 2},
};

static void recur(const struct recurrence *recurrence)
{
    static const int64_t durations[5] = {5, 25, 5, 5, 5};
    const struct dal_period_desc desc = {10, 0, 10, 1, recurrence->overrun};
    struct dal_timer timer = {0};
    int64_t now_ns = 0;
    dal_timer_start(&timer, &desc, 0);
    for (int k = 0; k < 5; k++) {
        while (dal_timer_due(&timer, now_ns) == 0)
            now_ns++;
        CU_ASSERT_EQUAL(now_ns, recurrence->starts[k]);
        dal_timer_begun(&timer, now_ns);
        now_ns += durations[k];
        dal_timer_fired(&timer, 1, now_ns);
    }
    CU_ASSERT_EQUAL(timer.misses, recurrence->misses);
    CU_ASSERT_EQUAL(timer.skipped, recurrence->skipped);
}

static void recurrent(void)
{
    for (size_t i = 0; i < sizeof(recurrences) / sizeof(recurrences[0]); i++)
        recur(&recurrences[i]);
}

static void timers(void)
{
    const struct dal_period_desc far = {INT64_MAX, INT64_MAX, INT64_MAX, 1, DAL_OVERRUN_SKIP};
    struct dal_timer timer = {0};
    for (size_t i = 0; i < sizeof(days) / sizeof(days[0]); i++)
        spend_day(&days[i]);
    dal_timer_start(&timer, &far, 100);
    CU_ASSERT_EQUAL(dal_timer_due(&timer, INT64_MAX - 1), 0);
    CU_ASSERT_EQUAL(dal_timer_due(&timer, INT64_MAX), 1);
    CU_ASSERT_TRUE(dal_timer_fired(&timer, 1, INT64_MAX));
    CU_ASSERT_EQUAL(dal_timer_next_ns(&timer), INT64_MAX);
    dal_timer_stop(&timer);
    CU_ASSERT_EQUAL(dal_timer_due(&timer, 0), UINT64_MAX);
    CU_ASSERT_FALSE(dal_timer_fired(&timer, 1, INT64_MAX));
    CU_ASSERT_EQUAL(timer.misses + timer.overruns + timer.skipped, 0);
}

/* ---- marks by themselves --------------------------------------------------------------------- */

/* How late releases begin; of several firings only the first counts. */
static void lateness(void)
{
    const struct dal_period_desc desc = {10, 0, 10, 2, DAL_OVERRUN_CATCHUP};
    struct dal_timer timer = {0};
    dal_timer_start(&timer, &desc, 100);
    dal_timer_begun(&timer, 103);
    dal_timer_fired(&timer, 1, 104);
    dal_timer_begun(&timer, 109);
    dal_timer_fired(&timer, 1, 109);
    dal_timer_begun(&timer, 117);
    CU_ASSERT_EQUAL(dal_timer_releases(&timer), 2);
    CU_ASSERT_EQUAL(timer.late.least, 3);
    CU_ASSERT_EQUAL(timer.late.most, 7);
}

static struct dal_latency latency;
static struct dal_probe from, to;

static void begin_marks(uint64_t from_repetitions, uint64_t to_repetitions)
{
    static const struct dal_latency_desc desc = {.max_ns = 50};
    from = (struct dal_probe){.repetitions = from_repetitions};
    to = (struct dal_probe){.repetitions = to_repetitions};
    latency = (struct dal_latency){0};
    CU_ASSERT_EQUAL_FATAL(dal_latency_init(&latency, &desc, &from, &to), DAL_OK);
}

static void expect_latency(uint64_t count, double least, double most, double sum, uint64_t misses,
                           uint64_t lost)
{
    CU_ASSERT_EQUAL(latency.times.count, count);
    CU_ASSERT_EQUAL(latency.times.least, least);
    CU_ASSERT_EQUAL(latency.times.most, most);
    CU_ASSERT_EQUAL(latency.times.sum, sum);
    CU_ASSERT_EQUAL(latency.misses, misses);
    CU_ASSERT_EQUAL(latency.lost, lost);
    dal_latency_finish(&latency);
}

/* Iterations begin with the first of 2 firings and end with the last of 3. */
static void marks_with_rates(void)
{
    begin_marks(2, 3);
    dal_probe_begin(&from, 1, 100); /* iteration 0 */
    dal_probe_begin(&from, 2, 110); /* 1 */
    dal_probe_end(&to, 2, 111);
    dal_probe_end(&to, 1, 120); /* 0, after 20 */
    dal_probe_begin(&from, 1, 121);
    dal_probe_begin(&from, 4, 130); /* 2, 3 */
    dal_probe_end(&to, 5, 160);     /* 1, after 50, which is allowed */
    dal_probe_end(&to, 4, 181);     /* 2, 3, after 51 each */
    expect_latency(4, 20, 51, 172, 2, 0);
}

/* What ends before it begins took no time, and is not counted once more. */
static void marks_ahead(void)
{
    begin_marks(1, 1);
    dal_probe_end(&to, 2, 100);
    dal_probe_begin(&from, 4, 200);
    dal_probe_end(&to, 1, 230);
    expect_latency(3, 0, 30, 30, 0, 0);
}

static void marks_lost(void)
{
    begin_marks(1, 1);
    for (int i = 0; i < DAL_LATENCY_SLOTS + 3; i++)
        dal_probe_begin(&from, 1, i);
    dal_probe_end(&to, 4, 30);
    expect_latency(1, 27, 27, 27, 0, 3);
    begin_marks(1, 1);
    dal_probe_begin(&from, 3 * DAL_LATENCY_SLOTS, 10);
    dal_probe_end(&to, 3 * DAL_LATENCY_SLOTS, 20);
    expect_latency(DAL_LATENCY_SLOTS, 10, 10, 10 * DAL_LATENCY_SLOTS, 0, 2 * DAL_LATENCY_SLOTS);
}

/* What had begun, but not the first 5 firings, begins again. */
static void marks_again(void)
{
    begin_marks(1, 1);
    dal_probe_begin(&from, 10, 100);
    dal_probe_end(&from, 4, 110);
    dal_probe_cut(&from, 1);
    dal_probe_begin(&from, 2, 200);
    dal_probe_end(&to, 7, 210);
    expect_latency(7, 10, 110, 570, 5, 0);
}

/* ---- networks -------------------------------------------------------------------------------- */

struct arc {
    int from, to;
    uint64_t rate_in, rate_out, initial; /* rates 0: no arc */
};

/* Process 0 is the source, and ends with its last firing. */
struct graph {
    const char *cores; /* of each process: '0', '1', 'b' for both, 'd' for a device, 'D' for two */
    struct arc arcs[ARCS];
    uint64_t repetitions[MOST];
    uint64_t capacity, block;
    uint32_t copies;
};

static struct {
    uint64_t firings; /* of process 0 */
    int ends;         /* another process that ends */
    uint64_t at;      /* with the firing of this number */
    int64_t nap_ns[MOST];
    const struct dal_period_desc *periodic[MOST];
    struct dal_latency_desc latencies[LATENCIES];
    int latency_count;
    int64_t stall_ns;
    unsigned cut;              /* one firing in so many is the last of a run */
    enum dal_channel_kind way; /* to and from devices */
    void (*meanwhile)(struct dal_network *network);
    void (*look)(void); /* in each firing of process 0 */
    int hosted, realtime;
} way;

/* What has become of it. */
static struct {
    uint64_t firings[MOST];
    int64_t wall_ns;
    struct dal_latency latencies[LATENCIES];
    struct dal_timer timers[MOST];
    int groups;
    uint64_t rests; /* of the first worker */
} result;

static uint64_t wrong;
static struct dal_channel_desc channels[ARCS];

struct _local_states {
    uint64_t fired;
};

static const struct dal_state state = {sizeof(struct _local_states),
                                       _Alignof(struct _local_states)};

static void sleep_ns(int64_t ns)
{
    struct timespec time = {ns / 1000000000, ns % 1000000000};
    while (nanosleep(&time, &time) != 0)
        ;
}

static uint64_t move_tokens(const struct dal_port_desc *port, uint64_t *tokens, uint64_t number)
{
    uint64_t i, initial = channels[port->channel].initial_tokens, bad = 0;
    for (i = 0; i < port->rate; i++) {
        uint64_t index = number * port->rate + i;
        if (port->output)
            tokens[i] = index;
        else if (index >= initial)
            bad += tokens[i] != index - initial;
    }
    return bad;
}

/* One firing; returns whether it was the last. Copies are told by a token which firing it is. */
static int fire_once(const struct dal_process_desc *desc, struct dal_window *windows,
                     uint64_t number)
{
    uint64_t bad = 0;
    int k, process = desc->index[0];
    if (desc->shadow_copies > 1)
        number = *(uint64_t *)(void *)windows[0].firing / desc->ports[0].rate;
    if (way.nap_ns[process])
        sleep_ns(way.nap_ns[process]);
    if (way.look && process == 0)
        way.look();
    for (k = 0; k < desc->port_count; k++)
        bad += move_tokens(&desc->ports[k], (uint64_t *)(void *)windows[k].firing, number);
    __atomic_fetch_add(&wrong, bad, __ATOMIC_RELAXED);
    return (process == 0 && number + 1 == way.firings) ||
           (way.ends && process == way.ends && number == way.at);
}

/* As when the monitor had asked between two firings. */
static int is_cut(struct dal_activation *a)
{
    static uint32_t draws;
    uint32_t draw = __atomic_fetch_add(&draws, 1, __ATOMIC_RELAXED) * 2654435761u >> 16;
    int asked = __atomic_exchange_n(&a->enough, 0, __ATOMIC_RELAXED);
    return asked || (way.cut && draw % way.cut == 0);
}

static void run_code(DALProcess *p, struct dal_activation *a)
{
    const struct dal_process_desc *desc = a->process->desc;
    struct dal_window windows[PORTS];
    int last = 0;
    memcpy(windows, a->windows, (size_t)desc->port_count * sizeof(windows[0]));
    for (a->fired = 0, a->early = 0; !last && !a->early && a->fired < a->firings;
         a->fired += !last) {
        last = fire_once(desc, windows, p->local->fired++);
        a->early = !last && a->fired + 1 < a->firings && is_cut(a);
        for (int k = 0; k < desc->port_count; k++)
            windows[k].firing += windows[k].bytes;
    }
    for (int k = 0; k < desc->port_count; k++)
        a->windows[k].done = windows[k].bytes;
    a->status = last;
}

static int fire_process(DALProcess *p)
{
    (void)p;
    return 0; /* run_code() does it */
}

static const struct dal_code code = {.state = &state, .fire = fire_process, .run = run_code};

static const struct dal_kernel
    pass = {.name = "pass",
            .file = "pass.cl",
            .text =
                "__kernel void pass(__global const uchar *a, ulong x, __global uchar *b, ulong y) "
                "{\n"
                "    ((__global ulong *)(b + y))[get_group_id(0)] =\n"
                "        ((__global const ulong *)(a + x))[get_group_id(0)];\n"
                "}\n",
            .options = ""},
    drop = {.name = "drop",
            .file = "drop.cl",
            .text = "__kernel void drop(__global const uchar *a, ulong x) {\n}\n",
            .options = ""};

struct tables {
    struct dal_process_desc processes[MOST];
    struct dal_port_desc ports[MOST][PORTS];
    struct dal_net net;
};

static void add_port(struct tables *t, int process, int output, int channel, uint64_t rate)
{
    struct dal_process_desc *desc = &t->processes[process];
    t->ports[process][desc->port_count++] =
        (struct dal_port_desc){.name = "port", .output = output, .channel = channel, .rate = rate};
}

static void add_process(struct tables *t, const struct graph *graph, int i)
{
    static const int numbers[MOST] = {0, 1, 2, 3, 4}, where[] = {0, 1, 2, 3};
    static const char *const names[MOST] = {"P0", "P1", "P2", "P3", "P4"};
    int place = graph->cores[i], shared = place == 'b', device = place == 'd' || place == 'D';
    t->processes[i] =
        (struct dal_process_desc){.name = names[i],
                                  .base = names[i],
                                  .kind = device ? DAL_PROCESS_DEVICE : DAL_PROCESS_C,
                                  .processors = &where[device ? 2 : place == '1'],
                                  .processor_count = 1 + (shared || place == 'D'),
                                  .code = &code,
                                  .work_items = 1,
                                  .block = graph->block,
                                  .shadow_copies = shared || device ? graph->copies : 1,
                                  .periodic = way.periodic[i],
                                  .ports = t->ports[i],
                                  .index = &numbers[i],
                                  .index_count = 1,
                                  .repetitions = graph->repetitions[i] ? graph->repetitions[i] : 1,
                                  .origin = {"net.xml", 10 + i}};
}

static enum dal_channel_kind kind_of(const char *cores, const struct arc *arc)
{
    int a = cores[arc->from], b = cores[arc->to];
    if (a == 'd' || a == 'D' || b == 'd' || b == 'D')
        return way.way;
    return a == b && a != 'b' ? DAL_CHANNEL_CORE : DAL_CHANNEL_CORES;
}

static void add_arc(struct tables *t, const struct graph *graph, int i)
{
    const struct arc *arc = &graph->arcs[i];
    channels[i] = (struct dal_channel_desc){.name = "c",
                                            .kind = kind_of(graph->cores, arc),
                                            .producer = arc->from,
                                            .consumer = arc->to,
                                            .capacity = graph->capacity,
                                            .token_bytes = sizeof(uint64_t),
                                            .rate_in = arc->rate_in,
                                            .rate_out = arc->rate_out,
                                            .initial_tokens = arc->initial};
    t->net.channel_count = i + 1;
}

static void fill(struct tables *t, const struct graph *graph)
{
    static const struct dal_processor_desc processors[] = {
        {.name = "core_0", .kind = DAL_PROCESSOR_CORE, .core = -1},
        {.name = "core_1", .kind = DAL_PROCESSOR_CORE, .core = -1},
        {.name = "device_0", .kind = DAL_PROCESSOR_OPENCL, .identifier = "CPU_DEV1_SUB1"},
        {.name = "device_1", .kind = DAL_PROCESSOR_OPENCL, .identifier = "CPU_DEV1_SUB2"}};
    *t = (struct tables){.net = {.version = DAL_NET_VERSION,
                                 .name = "times",
                                 .processors = processors,
                                 .processor_count = 4,
                                 .processes = t->processes,
                                 .process_count = (int)strlen(graph->cores),
                                 .channels = channels,
                                 .latencies = way.latencies,
                                 .latency_count = way.latency_count,
                                 .queue.depth = 4,
                                 .queue.policy = "fcfs",
                                 .queue.realtime = way.realtime}};
    for (int i = 0; i < t->net.process_count; i++)
        add_process(t, graph, i);
    for (int i = 0; i < ARCS && graph->arcs[i].rate_in; i++)
        add_arc(t, graph, i);
    for (int i = 0; i < t->net.channel_count; i++) /* inputs come first: a copy looks at port 0 */
        add_port(t, graph->arcs[i].to, 0, i, graph->arcs[i].rate_out);
    for (int i = 0; i < t->net.channel_count; i++)
        add_port(t, graph->arcs[i].from, 1, i, graph->arcs[i].rate_in);
    for (int i = 0; i < t->net.process_count; i++)
        t->processes[i].kernel = t->processes[i].port_count == 2 ? &pass : &drop;
}

/* Firings that have begun and ended have the processes' numbers. */
static void check_marks(const struct dal_process *process)
{
    if (!process->marks)
        return;
    CU_ASSERT_EQUAL(process->marks->begun, process->firings);
    CU_ASSERT_EQUAL(process->marks->ended, process->firings);
}

static void keep_result(const struct dal_network *network)
{
    for (int i = 0; i < network->net->process_count; i++) {
        check_marks(&network->processes[i]);
        result.firings[i] = network->processes[i].firings;
        if (network->processes[i].host.timer)
            memcpy(&result.timers[i], network->processes[i].host.timer, sizeof(struct dal_timer));
    }
    for (int i = 0; i < network->net->latency_count; i++)
        result.latencies[i] = dal__timing_latencies(network)[i];
    result.wall_ns = network->wall_ns;
    result.groups = network->groups.together_count;
    result.rests = network->workers[0].rests;
}

static void *do_meanwhile(void *network)
{
    way.meanwhile(network);
    return NULL;
}

static int run_network(struct dal_network *network)
{
    pthread_t thread;
    int status;
    if (way.meanwhile)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, do_meanwhile, network), 0);
    status = dal_network_run(network);
    if (way.meanwhile)
        pthread_join(thread, NULL);
    return status;
}

/* Runs a graph, with a report; returns the network's status. */
static int try(const struct graph *graph)
{
    struct dal_monitor_limits limits = dal_monitor_usual;
    struct dal_network_options options = {.limits = &limits, .hosted = way.hosted};
    struct dal_network *network;
    struct tables tables;
    int status;
    fill(&tables, graph);
    memset(&result, 0, sizeof(result));
    limits.stall_ns = way.stall_ns ? way.stall_ns : limits.stall_ns;
    wrong = 0;
    status = dal_network_create(&network, &tables.net, &options);
    CU_ASSERT_EQUAL_FATAL(status, DAL_OK);
    status = run_network(network);
    CU_ASSERT_EQUAL(wrong, 0);
    keep_result(network);
    CU_ASSERT_EQUAL(dal_network_report(network), DAL_OK);
    dal_network_destroy(network);
    return status;
}

static void be_usual(void)
{
    memset(&way, 0, sizeof(way));
    way.firings = 20;
}

/* ---- periodic processes ---------------------------------------------------------------------- */

#define PAIR                                                                                       \
    {                                                                                              \
        {                                                                                          \
            0, 1, 1, 1, 0                                                                          \
        }                                                                                          \
    }
#define CHAIN                                                                                      \
    {                                                                                              \
        {0, 1, 1, 1, 0}, {1, 2, 1, 1, 0},                                                          \
        {                                                                                          \
            2, 3, 1, 1, 0                                                                          \
        }                                                                                          \
    }

/* So many firings of process `who` are so many releases, and so many periods behind the start. */
static void expect_releases(int who, uint64_t firings, uint64_t releases)
{
    const struct dal_period_desc *desc = way.periodic[who];
    const struct dal_timer *timer = &result.timers[who];
    CU_ASSERT_EQUAL(result.firings[who], firings);
    CU_ASSERT_EQUAL(dal_timer_releases(timer), releases);
    CU_ASSERT_EQUAL(timer->misses, 0);
    CU_ASSERT_EQUAL(timer->skipped, 0);
    CU_ASSERT_TRUE(result.wall_ns >= desc->phase_ns + (int64_t)(releases - 1) * desc->period_ns);
}

static void periods(void)
{
    static const struct dal_period_desc one = {2 * MS, 0, HOUR, 1, DAL_OVERRUN_CATCHUP},
                                        three = {4 * MS, 30 * MS, HOUR, 3, DAL_OVERRUN_CATCHUP};
    static const struct graph list[] = {
        {"00", PAIR, {0}, 16, 8, 1},
        {"01", PAIR, {0}, 2, 1, 1},
        {"bb", PAIR, {0}, 16, 8, 1},
        {"b0", PAIR, {0}, 16, 8, 1},
    };
    be_usual();
    way.firings = 30;
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        for (int who = 0; who < 2; who++) {
            way.periodic[who] = &one;
            CU_ASSERT_EQUAL(try(&list[i]), DAL_OK);
            expect_releases(who, 30, 30);
            way.periodic[who] = &three;
            CU_ASSERT_EQUAL(try(&list[i]), DAL_OK);
            expect_releases(who, 30, 10);
            way.periodic[who] = NULL;
        }
}

/* Runs that are cut short, and a release that is not through when the process ends. */
static void parts_of_releases(void)
{
    static const struct dal_period_desc many = {3 * MS, 0, HOUR, 8, DAL_OVERRUN_CATCHUP};
    static const struct graph graph = {"00", PAIR, {0}, 64, 16, 1};
    be_usual();
    way.firings = 37;
    way.periodic[0] = way.periodic[1] = &many;
    for (way.cut = 0; way.cut < 4; way.cut++) {
        CU_ASSERT_EQUAL(try(&graph), DAL_OK);
        expect_releases(0, 37, 5);
        expect_releases(1, 37, 5);
    }
}

/* It fires when it is released, and not with its neighbours. */
static void apart(void)
{
    static const struct dal_period_desc period = {2 * MS, 0, HOUR, 1, DAL_OVERRUN_CATCHUP};
    static const struct graph graph = {"0000", CHAIN, {0}, 16, 4, 1};
    be_usual();
    CU_ASSERT_EQUAL(try(&graph), DAL_OK);
    CU_ASSERT_EQUAL(result.groups, 1);
    way.periodic[0] = &period;
    CU_ASSERT_EQUAL(try(&graph), DAL_OK);
    CU_ASSERT_EQUAL(result.groups, 1); /* of the other three */
    expect_releases(0, 20, 20);
    way.periodic[0] = NULL;
    way.periodic[2] = &period;
    CU_ASSERT_EQUAL(try(&graph), DAL_OK);
    CU_ASSERT_EQUAL(result.groups, 1); /* of the first two */
    expect_releases(2, 20, 20);
}

/* Firings of 5 ms every 2 ms. */
static void overruns(void)
{
    static const struct dal_period_desc periods[] = {
        {2 * MS, 0, MS, 1, DAL_OVERRUN_DELAY},
        {2 * MS, 0, MS, 1, DAL_OVERRUN_CATCHUP},
        {2 * MS, 0, MS, 1, DAL_OVERRUN_SKIP},
    };
    static const struct graph graph = {"01", PAIR, {0}, 16, 8, 1};
    const struct dal_timer *timer = &result.timers[0];
    be_usual();
    way.nap_ns[0] = 5 * MS;
    for (int i = 0; i < 3; i++) {
        way.periodic[0] = &periods[i];
        CU_ASSERT_EQUAL(try(&graph), DAL_OK);
        CU_ASSERT_EQUAL(result.firings[0], 20);
        CU_ASSERT_EQUAL(dal_timer_releases(timer), 20);
        CU_ASSERT_EQUAL(timer->misses, 20);
        CU_ASSERT_EQUAL(timer->overruns, 20);
        if (periods[i].overrun == DAL_OVERRUN_SKIP)
            CU_ASSERT_TRUE(timer->skipped >= 2 * 20)
        else
            CU_ASSERT_EQUAL(timer->skipped, 0);
        if (periods[i].overrun == DAL_OVERRUN_CATCHUP)
            CU_ASSERT_TRUE(timer->late.most >= 19 * 3 * MS)
    }
}

/* ---- what ends it, and what does not --------------------------------------------------------- */

static void stop_soon(struct dal_network *network)
{
    sleep_ns(200 * MS);
    dal_control_stop(&network->control);
}

/* The limit for stalls is shorter than the period, and than what is waited for. */
static void stopping(void)
{
    static const struct dal_period_desc late = {HOUR, HOUR, HOUR, 1, DAL_OVERRUN_DELAY};
    static const struct graph list[] = {
        {"00", PAIR, {0}, 16, 8, 1}, {"01", PAIR, {0}, 16, 8, 1}, {"bb", PAIR, {0}, 16, 8, 1}};
    be_usual();
    way.meanwhile = stop_soon;
    way.stall_ns = 80 * MS;
    for (int i = 0; i < 3; i++) {
        way.periodic[0] = &late;
        CU_ASSERT_EQUAL(try(&list[i]), DAL_OK);
        CU_ASSERT_EQUAL(result.firings[0] + result.firings[1], 0);
        way.periodic[0] = NULL;
        way.periodic[1] = &late; /* what was sent arrives */
        way.firings = 9;
        CU_ASSERT_EQUAL(try(&list[i]), DAL_OK);
        CU_ASSERT_EQUAL(result.firings[0], 9);
        CU_ASSERT_EQUAL(result.firings[1], 9);
        CU_ASSERT_EQUAL(dal_timer_releases(&result.timers[1]), 0);
    }
}

/* Nobody reads, or nothing comes: it ends without a release. */
static void ends(void)
{
    static const struct dal_period_desc once = {HOUR, 0, HOUR, 9, DAL_OVERRUN_DELAY};
    static const struct graph graph = {"01", PAIR, {0}, 4, 2, 1};
    be_usual();
    way.periodic[0] = &once;
    way.firings = 100;
    way.ends = 1;
    way.at = 3;
    CU_ASSERT_EQUAL(try(&graph), DAL_OK);
    CU_ASSERT_TRUE(result.firings[0] >= 4 && result.firings[0] <= 9);
    CU_ASSERT_EQUAL(result.firings[1], 4);
    be_usual();
    way.periodic[1] = &once;
    way.firings = 9;
    CU_ASSERT_EQUAL(try(&graph), DAL_OK);
    CU_ASSERT_EQUAL(result.firings[1], 9);
}

static void expect_stalled(const struct graph *graph)
{
    struct capture said;
    CU_ASSERT_EQUAL_FATAL(capture_begin(&said), 0);
    CU_ASSERT_EQUAL(try(graph), DAL_ERR_STALLED);
    capture_end(&said);
    capture_finish(&said);
}

/* What waits for its release is not stuck. What waits for tokens is, whatever its release; and what
 * has ended waits for nothing. */
static void watchdog(void)
{
    static const struct dal_period_desc slow = {300 * MS, 0, HOUR, 1, DAL_OVERRUN_DELAY},
                                        late = {HOUR, HOUR, HOUR, 1, DAL_OVERRUN_DELAY},
                                        once = {HOUR, 0, HOUR, 1, DAL_OVERRUN_DELAY};
    static const struct graph chain = {"0100", CHAIN, {0}, 16, 4, 1},
                              cycle = {"01", {{0, 1, 1, 1, 0}, {1, 0, 1, 1, 0}}, {0}, 4, 1, 1},
                              behind = {"010", {{0, 1, 1, 1, 0}, {1, 2, 1, 1, 0}, {2, 1, 1, 1, 0}},
                                        {0},   4,
                                        1,     1};
    be_usual();
    way.stall_ns = 150 * MS;
    way.firings = 3;
    for (int who = 0; who < 4; who += 3) {
        way.periodic[who] = &slow;
        CU_ASSERT_EQUAL(try(&chain), DAL_OK);
        expect_releases(who, 3, 3);
        way.periodic[who] = NULL;
    }
    for (int who = 0; who < 2; who++) {
        way.periodic[who] = &late;
        expect_stalled(&cycle);
    }
    be_usual();
    way.stall_ns = 50 * MS;
    way.firings = 1;
    way.periodic[0] = &once;
    expect_stalled(&behind);
}

static void pause_a_while(struct dal_network *network)
{
    sleep_ns(20 * MS);
    dal_control_pause(&network->control);
    while (!dal_control_still(&network->control))
        sleep_ns(MS / 10);
    sleep_ns(100 * MS);
    dal_control_resume(&network->control);
}

/* 100 ms are 20 periods: of those one has a release which comes late. */
static void pausing(void)
{
    static const struct dal_period_desc skip = {5 * MS, 0, 5 * MS, 1, DAL_OVERRUN_SKIP};
    static const struct graph graph = {"01", PAIR, {0}, 16, 8, 1};
    be_usual();
    way.meanwhile = pause_a_while;
    way.periodic[0] = &skip;
    way.firings = 40;
    CU_ASSERT_EQUAL(try(&graph), DAL_OK);
    CU_ASSERT_EQUAL(result.firings[1], 40);
    CU_ASSERT_EQUAL(dal_timer_releases(&result.timers[0]), 40);
    CU_ASSERT_TRUE(result.timers[0].skipped >= 18);
    CU_ASSERT_TRUE(result.timers[0].misses >= 1);
    CU_ASSERT_TRUE(result.timers[0].late.most >= 95 * MS);
    CU_ASSERT_TRUE(result.wall_ns >= (39 + 18) * 5 * MS);
}

/* ---- latencies ------------------------------------------------------------------------------- */

static void ask_latency(int from, int to, int64_t max_ns)
{
    way.latencies[way.latency_count] =
        (struct dal_latency_desc){from, to, max_ns, {"net.xml", 90 + way.latency_count}, 0};
    way.latency_count++;
}

/* Of `count` iterations none took less than `least_ns`. */
static void expect_times(int number, uint64_t count, double least_ns, uint64_t misses)
{
    const struct dal_latency *one = &result.latencies[number];
    CU_ASSERT_EQUAL(one->times.count, count);
    CU_ASSERT_TRUE(one->times.least >= least_ns);
    CU_ASSERT_EQUAL(one->misses, misses);
    CU_ASSERT_EQUAL(one->lost, 0);
}

/* Of processes 0 to 2, or 3, of which process 1 takes 5 ms. */
static void ways_of_latencies(void)
{
    static const struct graph list[] = {
        {"0000", CHAIN, {0}, 16, 4, 1}, {"0000", CHAIN, {0}, 1, 1, 1},
        {"0100", CHAIN, {0}, 16, 4, 1}, {"0101", CHAIN, {0}, 2, 1, 1},
        {"0b00", CHAIN, {0}, 16, 4, 2}, {"0bb0", CHAIN, {0}, 16, 4, 2},
        {"0bb0", CHAIN, {0}, 2, 1, 2},  {"bbbb", CHAIN, {0}, 8, 2, 1},
    };
    be_usual();
    way.nap_ns[1] = 5 * MS;
    ask_latency(0, 2, MS);
    ask_latency(0, 3, HOUR);
    ask_latency(1, 1, 2 * MS);
    for (way.cut = 0; way.cut < 3; way.cut += 2)
        for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
            struct capture said;
            CU_ASSERT_EQUAL_FATAL(capture_begin(&said), 0);
            CU_ASSERT_EQUAL(try(&list[i]), DAL_OK);
            CU_ASSERT_PTR_NOT_NULL(strstr(capture_end(&said), "latency P0 -> P2: 20 of 20"));
            capture_finish(&said);
            expect_times(0, 20, 5 * MS, 20);
            expect_times(1, 20, 5 * MS, 0);
            expect_times(2, 20, 5 * MS, 20);
        }
}

/* Two firings make as many tokens as three take, each in 3 ms. */
static void rates(void)
{
    static const struct graph list[] = {
        {"00", {{0, 1, 3, 2, 0}}, {2, 3}, 24, 4, 1},
        {"01", {{0, 1, 3, 2, 0}}, {2, 3}, 6, 1, 1},
        {"0b", {{0, 1, 3, 2, 0}}, {2, 3}, 24, 4, 2},
    };
    be_usual();
    way.nap_ns[1] = 3 * MS;
    way.firings = 11; /* 5 iterations, and the begin of one */
    ask_latency(0, 1, HOUR);
    for (int i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(try(&list[i]), DAL_OK);
        CU_ASSERT_EQUAL(result.firings[1], 16);
        expect_times(0, 5, (i < 2 ? 9 : 6) * MS, 0); /* copies are side by side */
    }
}

/* What ends with an initial token need not have begun; the last ones never do. */
static void initial_tokens(void)
{
    static const struct graph list[] = {
        {"000", {{0, 1, 1, 1, 0}, {1, 2, 1, 1, 2}}, {0}, 16, 4, 1},
        {"010", {{0, 1, 1, 1, 0}, {1, 2, 1, 1, 2}}, {0}, 16, 4, 1},
    };
    be_usual();
    ask_latency(0, 2, HOUR);
    ask_latency(0, 1, HOUR);
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(try(&list[i]), DAL_OK);
        expect_times(0, 22, 0, 0);
        CU_ASSERT_EQUAL(result.latencies[0].times.least, 0);
        expect_times(1, 20, 1, 0);
    }
}

/* One of three that fire as one ends; the others go on by themselves, and iterations go on with
 * their numbers. */
static void over(void)
{
    static const struct graph fork = {
        "0001", {{0, 1, 1, 1, 0}, {1, 2, 1, 1, 0}, {1, 3, 1, 1, 0}}, {0}, 64, 16, 1};
    be_usual();
    way.nap_ns[1] = MS;
    way.firings = 60;
    way.ends = 2;
    ask_latency(0, 1, HOUR);
    ask_latency(0, 3, HOUR);
    ask_latency(0, 2, HOUR);
    for (way.cut = 0; way.cut < 6; way.cut += 2)
        for (way.at = 0; way.at < 40; way.at += 7) {
            CU_ASSERT_EQUAL(try(&fork), DAL_OK);
            CU_ASSERT_EQUAL(result.groups, 1);
            expect_times(0, 60, MS, 0);
            expect_times(1, 60, MS, 0);
            expect_times(2, way.at + 1, MS, 0);
        }
}

/* ---- devices --------------------------------------------------------------------------------- */

static int has_device(void)
{
    struct dal_device_list list;
    int count = 0;
    if (dal_backend_opencl.list(&list, DAL_LOG_NOTE) < 0)
        return 0;
    for (size_t i = 0; i < list.count; i++)
        count += list.info[i].type == DAL_DEVICE_CPU;
    dal_backend_opencl.list_finish(&list);
    return count > 0;
}

static void on_devices(void)
{
    static const enum dal_channel_kind kinds[] = {DAL_CHANNEL_UNIFIED, DAL_CHANNEL_STAGED};
    static const char *const places[] = {"0d0", "0D0"};
    struct graph graph = {"", {{0, 1, 1, 1, 0}, {1, 2, 1, 1, 0}}, {0}, 16, 4, 4};
    struct graph last = {"0d", PAIR, {0}, 16, 4, 4};
    be_usual();
    way.firings = 101;
    ask_latency(0, 2, HOUR);
    ask_latency(0, 1, HOUR);
    ask_latency(1, 2, 0);
    for (int i = 0; i < 6; i++) {
        way.way = kinds[i / 2 > 0];
        setenv("DAL_TRANSFER_QUEUES", "1", 1);
        if (i < 4)
            unsetenv("DAL_TRANSFER_QUEUES");
        graph.cores = places[i % 2];
        way.latency_count = 3;
        CU_ASSERT_EQUAL(try(&graph), DAL_OK);
        expect_times(0, 101, 1, 0);
        expect_times(1, 101, 1, 0);
        expect_times(2, 101, 1, 101);
        CU_ASSERT_TRUE(result.latencies[0].times.sum >= result.latencies[2].times.sum);
        last.cores = i % 2 ? "0D" : "0d";
        way.latencies[0] = way.latencies[1];
        way.latency_count = 1;
        CU_ASSERT_EQUAL(try(&last), DAL_OK);
        expect_times(0, 101, 1, 0);
        way.latencies[0].to = 2;
    }
    unsetenv("DAL_TRANSFER_QUEUES");
}

static void devices(void)
{
    if (has_device())
        on_devices();
    else
        printf("there is no OpenCL device; ");
}

/* ---- real-time mode -------------------------------------------------------------------------- */

/* Of the thread that fires process 0, of a thread that it starts, and of all threads. */
static struct {
    int policy, priority, slack_ns, started_policy, threads;
} seen;

static int policy_of(pid_t thread)
{
    return sched_getscheduler(thread) & ~SCHED_RESET_ON_FORK;
}

static int count_realtime(void)
{
    DIR *folder = opendir("/proc/self/task");
    const struct dirent *entry;
    int count = 0;
    while (folder && (entry = readdir(folder)))
        count += *entry->d_name != '.' && policy_of(atoi(entry->d_name)) == SCHED_FIFO;
    if (folder)
        closedir(folder);
    return count;
}

static void *note_policy(void *policy)
{
    *(int *)policy = policy_of(0);
    return NULL;
}

static void look_at_threads(void)
{
    struct sched_param parameter = {0};
    pthread_t thread;
    int threads = count_realtime();
    seen.policy = policy_of(0);
    sched_getparam(0, &parameter);
    seen.priority = parameter.sched_priority;
    seen.slack_ns = prctl(PR_GET_TIMERSLACK);
    seen.threads = threads > seen.threads ? threads : seen.threads;
    if (pthread_create(&thread, NULL, note_policy, &seen.started_policy) == 0)
        pthread_join(thread, NULL);
}

/* Is this system one that gives us the priority? */
static int may_have_priority(void)
{
    const struct sched_param one = {.sched_priority = 1}, none = {0};
    if (sched_setscheduler(0, SCHED_FIFO, &one) != 0)
        return 0;
    return sched_setscheduler(0, SCHED_OTHER, &none) == 0;
}

/* Threads that fire have the priority; the monitor, and what they start, have not. */
static void realtime(void)
{
    static const struct graph graph = {"01", PAIR, {0}, 4, 2, 1};
    static const struct {
        const char *variable;
        int mapping, priority;
    } cases[] = {{"", 0, 0}, {"7", 0, 7}, {"", 3, 3}, {"7", 3, 7}, {"0", 3, 0}};
    int may = may_have_priority();
    for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
        int hosted = i % 2, wanted = hosted ? 0 : cases[i / 2].priority,
            priority = may ? wanted : 0;
        setenv("DAL_REALTIME", cases[i / 2].variable, 1);
        be_usual();
        way.look = look_at_threads;
        way.hosted = hosted;
        way.realtime = cases[i / 2].mapping;
        memset(&seen, 0, sizeof(seen));
        CU_ASSERT_EQUAL(try(&graph), DAL_OK);
        CU_ASSERT_EQUAL(seen.policy, priority ? SCHED_FIFO : SCHED_OTHER);
        CU_ASSERT_EQUAL(seen.priority, priority);
        CU_ASSERT_EQUAL(seen.threads, priority ? 2 : 0);
        CU_ASSERT_EQUAL(seen.slack_ns <= 1, wanted > 0); /* the system may have 0 */
        CU_ASSERT_EQUAL(seen.started_policy, SCHED_OTHER);
        CU_ASSERT_EQUAL(policy_of(0), SCHED_OTHER);
        CU_ASSERT_EQUAL(result.rests, 0);
        munlockall();
    }
    unsetenv("DAL_REALTIME");
}

static void wrong_priority(void)
{
    static const char *const texts[] = {"50", "-1", "1x", "yes", "99999999999999999999", "1 "};
    static const struct dal_net net = {
        .version = DAL_NET_VERSION, .name = "n", .queue.policy = "fcfs"};
    const struct dal_network_options options = {0};
    struct dal_network *network;
    struct capture said;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        setenv("DAL_REALTIME", texts[i], 1);
        CU_ASSERT_EQUAL_FATAL(capture_begin(&said), 0);
        CU_ASSERT_EQUAL(dal_network_create(&network, &net, &options), DAL_ERR_INVALID);
        CU_ASSERT_PTR_NOT_NULL(strstr(capture_end(&said), ": not a number from 0 to 49\n"));
        capture_finish(&said);
    }
    unsetenv("DAL_REALTIME");
}

static void work_long(void)
{
    int64_t until_ns = dal_thread_ns() + 30 * MS;
    while (dal_thread_ns() < until_ns)
        ;
}

/* A network that always has work leaves its core to others. One that waits need not. */
static void rests(void)
{
    static const struct graph graph = {"00", PAIR, {0}, 4, 2, 1};
    static const struct dal_period_desc period = {30 * MS, 0, HOUR, 1, DAL_OVERRUN_DELAY};
    struct capture said;
    int may = may_have_priority();
    setenv("DAL_REALTIME", "1", 1);
    be_usual();
    way.look = work_long;
    CU_ASSERT_EQUAL_FATAL(capture_begin(&said), 0);
    CU_ASSERT_EQUAL(try(&graph), DAL_OK);
    CU_ASSERT_TRUE(!may || result.rests >= 2);
    capture_end(&said);
    CU_ASSERT_TRUE(!may || strstr(said.text, "processor core_0: its real-time thread took all"));
    capture_finish(&said);
    be_usual();
    way.periodic[0] = &period;
    CU_ASSERT_EQUAL(try(&graph), DAL_OK);
    CU_ASSERT_EQUAL(result.rests, 0);
    munlockall();
    unsetenv("DAL_REALTIME");
}

static void ask_for_memory(void)
{
    dal_free(dal_alloc(1));
}

/* In a checking build, a run ends in which firing asks for memory. */
static void memory_in_firings(void)
{
    static const struct graph graph = {"01", PAIR, {0}, 16, 8, 1};
    struct capture said;
    be_usual();
    way.look = ask_for_memory;
    CU_ASSERT_EQUAL(try(&graph), DAL_OK);
    setenv("DAL_REALTIME", "1", 1);
    CU_ASSERT_EQUAL_FATAL(capture_begin(&said), 0);
#ifdef DAL_CHECKING
    CU_ASSERT_EQUAL(try(&graph), DAL_ERR_PROCESS);
    CU_ASSERT_PTR_NOT_NULL(strstr(capture_end(&said), "process P0: the runtime asks for memory"));
#else
    CU_ASSERT_EQUAL(try(&graph), DAL_OK);
    CU_ASSERT_PTR_NULL(strstr(capture_end(&said), "memory"));
#endif
    capture_finish(&said);
    munlockall();
    unsetenv("DAL_REALTIME");
}

/* ---- what is told ---------------------------------------------------------------------------- */

static void expect_said(const char *const *texts, const char *said)
{
    for (; *texts; texts++) {
        CU_ASSERT_PTR_NOT_NULL(strstr(said, *texts));
        if (!strstr(said, *texts))
            printf("missing: %s in: %s\n", *texts, said);
    }
}

static void read_file(const char *name, char *text, size_t room)
{
    FILE *file = fopen(name, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    text[fread(text, 1, room - 1, file)] = '\0';
    fclose(file);
}

static void reports(void)
{
    static const struct dal_period_desc hard = {2 * MS, 0, MS, 1, DAL_OVERRUN_DELAY};
    static const struct graph graph = {"00", PAIR, {0}, 16, 8, 1};
    static const char *const warnings[] = {
        "process P0: 7 of 7 releases missed their deadline of 1 ms (net.xml:10)\n",
        "latency P0 -> P1: 7 of 7 iterations took more than 2.5 ms; the longest ",
        " ms (net.xml:90)\n", NULL};
    static const char *const titles[] = {
        "\nlatency                    iterations     p50 ms     p99 ms     max ms allowed ms "
        "    misses promised %\nP0 -> P1                            7 ",
        " 2.500          7        100\n",
        "\nperiodic                     releases     misses   overruns    skipped late p50 us "
        "late p99 us late max us\nP0                                  7          7          7      "
        "    0 ",
        NULL};
    static const char *const entries[] = {
        "\"latencies\": [\n  {\"from\": \"P0\", \"to\": \"P1\", \"iterations\": 7, \"p50_ns\": ",
        "\"allowed_ns\": 2500000, \"percentile\": 100, \"percentile_ns\": ",
        ", \"misses\": 7, \"lost\": 0}\n ]",
        "\"periodic\": [\n  {\"process\": \"P0\", \"releases\": 7, \"misses\": 7, \"overruns\": 7, "
        "\"skipped\": 0, \"late_p50_ns\": ",
        NULL};
    char name[] = "./dal-test_time.XXXXXX", text[8192];
    struct capture said;
    int file = mkstemp(name);
    CU_ASSERT_TRUE_FATAL(file >= 0);
    close(file);
    be_usual();
    way.firings = 7;
    way.nap_ns[0] = 3 * MS;
    way.periodic[0] = &hard;
    ask_latency(0, 1, 5 * MS / 2);
    CU_ASSERT_EQUAL_FATAL(capture_begin(&said), 0);
    setenv("DAL_STATS", "1", 1);
    CU_ASSERT_EQUAL(try(&graph), DAL_OK);
    expect_said(warnings, capture_end(&said));
    expect_said(titles, said.text);
    capture_finish(&said);
    CU_ASSERT_EQUAL_FATAL(capture_begin(&said), 0);
    setenv("DAL_STATS", name, 1);
    CU_ASSERT_EQUAL(try(&graph), DAL_OK);
    expect_said(warnings, capture_end(&said));
    capture_finish(&said);
    read_file(name, text, sizeof(text));
    expect_said(entries, text);
    unsetenv("DAL_STATS");
    remove(name);
}

/* Of 20 iterations one is late. A promise of a percentile allows that, or does not. */
static void percentiles(void)
{
    static const struct {
        uint32_t late_ppm;
        int is_kept;
    } cases[] = {{0, 0}, {1, 0}, {49999, 0}, {50000, 1}, {50001, 1}, {999999, 1}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct dal_latency_desc desc = {.max_ns = 50, .late_ppm = cases[i].late_ppm};
        begin_marks(1, 1);
        latency.desc = &desc;
        CU_ASSERT_TRUE(dal_latency_is_kept(&latency));
        for (int k = 0; k < 20; k++) {
            dal_probe_begin(&from, 1, 100 * k);
            dal_probe_end(&to, 1, 100 * k + (k == 7 ? 51 : 50));
        }
        CU_ASSERT_EQUAL(dal_latency_is_kept(&latency), cases[i].is_kept);
        expect_latency(20, 50, 51, 1001, 1, 0);
    }
}

/* What is told of a percentile that is not kept, with what the last process waited for. */
static void percentile_told(void)
{
    static const struct graph graph = {"0100", CHAIN, {0}, 2, 1, 1};
    static const char *const texts[] = {
        "latency P0 -> P2: 20 of 20 iterations took more than 1 ms, 0.0000 % did not, and 99.9 % "
        "were promised; the longest ",
        " ms of which P2 waited for tokens of P1 (net.xml:90)\n", NULL};
    struct capture said;
    be_usual();
    way.nap_ns[1] = 5 * MS;
    ask_latency(0, 2, MS);
    way.latencies[0].late_ppm = 1000;
    CU_ASSERT_EQUAL_FATAL(capture_begin(&said), 0);
    CU_ASSERT_EQUAL(try(&graph), DAL_OK);
    expect_said(texts, capture_end(&said));
    capture_finish(&said);
    CU_ASSERT_TRUE(result.latencies[0].longest.ns > 0);
    way.latencies[0].late_ppm = 1000000;
    CU_ASSERT_EQUAL_FATAL(capture_begin(&said), 0);
    CU_ASSERT_EQUAL(try(&graph), DAL_OK);
    CU_ASSERT_PTR_NULL(strstr(capture_end(&said), "latency"));
    capture_finish(&said);
}

static int looks; /* that have found something, before all was over */

/* Counts grow, and no more iterations are late than were counted. */
static void look_at_counts(struct dal_network *network)
{
    const struct dal_latency *one = dal__timing_latencies(network);
    const struct dal_timer *timer = network->processes[0].host.timer;
    struct dal_latency_counts before = {0}, now;
    do {
        now = dal_latency_count(one);
        looks += now.iterations > before.iterations && now.iterations < way.firings;
        CU_ASSERT_TRUE(now.iterations >= before.iterations && now.misses >= before.misses);
        CU_ASSERT_TRUE(now.misses <= now.iterations && now.max_ns >= before.max_ns);
        CU_ASSERT_TRUE(dal_periodic_count(timer).misses <= way.firings);
        before = now;
        sleep_ns(MS / 10);
    } while (now.iterations < way.firings);
}

/* Another thread looks at what is counted while the network runs. */
static void watched(void)
{
    static const struct dal_period_desc period = {2 * MS, 0, 1, 1, DAL_OVERRUN_SKIP};
    static const struct graph graph = {"01", PAIR, {0}, 16, 8, 1};
    struct dal_periodic_counts releases;
    struct capture said;
    be_usual();
    way.firings = 50;
    way.periodic[0] = &period;
    way.nap_ns[1] = MS;
    way.meanwhile = look_at_counts;
    ask_latency(0, 1, MS);
    looks = 0;
    CU_ASSERT_EQUAL_FATAL(capture_begin(&said), 0);
    CU_ASSERT_EQUAL(try(&graph), DAL_OK);
    capture_end(&said);
    capture_finish(&said);
    CU_ASSERT_TRUE(looks > 5);
    CU_ASSERT_EQUAL(dal_latency_count(&result.latencies[0]).misses, 50);
    releases = dal_periodic_count(&result.timers[0]);
    CU_ASSERT_EQUAL(releases.releases, 50);
    CU_ASSERT_EQUAL(releases.misses, 50);
    CU_ASSERT_EQUAL(releases.skipped, result.timers[0].skipped);
}

/* Nothing is said where all is in time. */
static void silence(void)
{
    static const struct dal_period_desc easy = {2 * MS, 0, HOUR, 1, DAL_OVERRUN_DELAY};
    static const struct graph graph = {"00", PAIR, {0}, 16, 8, 1};
    struct capture said;
    be_usual();
    way.periodic[0] = &easy;
    ask_latency(0, 1, HOUR);
    CU_ASSERT_EQUAL_FATAL(capture_begin(&said), 0);
    CU_ASSERT_EQUAL(try(&graph), DAL_OK);
    CU_ASSERT_STRING_EQUAL(capture_end(&said), "");
    capture_finish(&said);
}

/* Of a network on two nodes, each has the latencies between its own processes. */
static void nodes(void)
{
    static const char *const names[] = {"one", "two"};
    static const struct graph graph = {"0011", CHAIN, {0}, 16, 4, 1};
    struct dal_processor_desc processors[2];
    struct tables tables;
    struct dal_part part;
    be_usual();
    ask_latency(0, 3, 1);
    ask_latency(2, 3, 2);
    ask_latency(0, 1, 3);
    fill(&tables, &graph);
    memcpy(processors, tables.net.processors, sizeof(processors));
    processors[1].node = 1;
    tables.net.processors = processors;
    tables.net.processor_count = tables.net.node_count = 2;
    tables.net.nodes = names;
    for (int node = 0; node < 2; node++) {
        CU_ASSERT_EQUAL_FATAL(dal_part_make(&part, &tables.net, node), DAL_OK);
        CU_ASSERT_EQUAL_FATAL(part.net.latency_count, 1);
        CU_ASSERT_EQUAL(part.net.latencies[0].from, 0);
        CU_ASSERT_EQUAL(part.net.latencies[0].to, 1);
        CU_ASSERT_EQUAL(part.net.latencies[0].max_ns, 3 - node);
        dal_part_finish(&part);
    }
}

/* Every allocation fails once: the network is not made, and everything is given back. */
static void without_memory(void)
{
    static const struct dal_period_desc period = {2 * MS, 0, HOUR, 1, DAL_OVERRUN_DELAY};
    static const struct graph graph = {"0000", CHAIN, {0}, 16, 4, 1};
    const struct dal_network_options options = {.limits = &dal_monitor_usual};
    struct tables tables;
    unsigned long n = 0;
    int status;
    be_usual();
    way.periodic[0] = &period;
    ask_latency(0, 3, 1);
    ask_latency(2, 3, 1);
    fill(&tables, &graph);
    do {
        struct dal_network *network;
        struct capture said;
        CU_ASSERT_EQUAL_FATAL(capture_begin(&said), 0);
        dal_alloc_fail_at(++n);
        status = dal_network_create(&network, &tables.net, &options);
        dal_alloc_fail_at(0);
        CU_ASSERT_EQUAL(status == DAL_OK, *capture_end(&said) == '\0');
        capture_finish(&said);
        CU_ASSERT_TRUE(status == DAL_OK || status == DAL_ERR_NOMEM);
        dal_network_destroy(network);
    } while (status < 0 && n < 10000);
    CU_ASSERT_TRUE(n > 30);
}

int main(void)
{
    static const struct test tests[] = {
        {"recurrent", recurrent},
        {"timers", timers},
        {"lateness", lateness},
        {"drifts of clocks", drifts},
        {"no drift", no_drift},
        {"marks with rates", marks_with_rates},
        {"marks ahead", marks_ahead},
        {"marks that are lost", marks_lost},
        {"marks that are set again", marks_again},
        {"periods", periods},
        {"parts of releases", parts_of_releases},
        {"periodic processes by themselves", apart},
        {"overruns", overruns},
        {"a stop", stopping},
        {"an end", ends},
        {"the watchdog", watchdog},
        {"a pause", pausing},
        {"real-time mode", realtime},
        {"a wrong priority", wrong_priority},
        {"rests in real-time mode", rests},
        {"memory in firings", memory_in_firings},
        {"latencies", ways_of_latencies},
        {"percentiles", percentiles},
        {"a percentile that is not kept", percentile_told},
        {"rates", rates},
        {"initial tokens", initial_tokens},
        {"a group that is over", over},
        {"devices", devices},
        {"reports", reports},
        {"looks while it runs", watched},
        {"nothing to report", silence},
        {"several nodes", nodes},
        {"an allocation that fails", without_memory},
    };
    setenv("DAL_KERNEL_CACHE", "off", 1);
    return run_suite("time", tests, sizeof(tests) / sizeof(tests[0]));
}
