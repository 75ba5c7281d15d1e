/*
 * Clusters: which processes fire as one, and that nobody can tell. Networks are hand-written
 * tables; a token's value is its number in its channel, so every process knows what it has to find.
 */
#include "rt/base/alloc.h"
#include "rt/network/network.h"
#include "rt/watch/monitor.h"

#include "test/capture.h"
#include "test/suite.h"

#include <string.h>
#include <time.h>

enum { MOST = 6, ARCS = 8, PORTS = 4, TOKENS = 3000 };

struct arc {
    int from, to;
    uint64_t rate_in, rate_out, initial; /* rates 0: no arc */
    int next;                            /* the next one of the same port, as net.h has it */
};

/* What is run: process 0 is the source. */
struct graph {
    const char *cores; /* of each process: '0', '1', or 'b' for both */
    struct arc arcs[ARCS];
    uint64_t capacity, block;
    uint32_t copies;      /* of processes on both cores */
    const char *clusters; /* what is expected: their processes */
};

static struct {
    int ends; /* the process that ends, with the firing of this number */
    uint64_t at;
    int fails;   /* instead it writes nothing */
    long nap_ns; /* a firing of process 1, or of all */
    int all_nap;
    const char *in; /* of what process 1 naps in, if not in its firings */
    int64_t stall_ns, report_ns;
    int runs_too;
    unsigned cut; /* one firing in so many is the last of a run that was asked to end early */
} way;

static uint64_t wrong;
static struct dal_channel_desc channels[ARCS];

struct _local_states {
    uint64_t fired;
};

static const struct dal_state state = {sizeof(struct _local_states),
                                       _Alignof(struct _local_states)};

/* Reads or writes the tokens of firing `number`; returns how many are not what they should be. */
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

static void take_a_nap(const struct dal_process *process, const char *in)
{
    if (way.nap_ns && strcmp(in, way.in ? way.in : "firing") == 0 &&
        (way.all_nap || process->desc->index[0] == 1))
        nanosleep(&(struct timespec){.tv_nsec = way.nap_ns}, NULL);
}

static void init(DALProcess *p)
{
    take_a_nap(((struct dal_activation *)p->wptr)->process, "init");
}

static void finish_process(DALProcess *p)
{
    take_a_nap(((struct dal_activation *)p->wptr)->process, "finish");
}

/* One firing; returns whether it was the last. Copies are told by a token which firing it is. */
static int fire_once(const struct dal_process *process, struct dal_window *windows, uint64_t number)
{
    const struct dal_process_desc *desc = process->desc;
    uint64_t bad = 0;
    if (desc->shadow_copies > 1)
        number = *(uint64_t *)(void *)windows[0].firing / desc->ports[0].rate;
    take_a_nap(process, "firing");
    for (int k = 0; k < desc->port_count; k++)
        bad += move_tokens(&desc->ports[k], (uint64_t *)(void *)windows[k].firing, number);
    for (int k = 0; k < desc->port_count && !desc->ports[k].output; k++) /* as it was before */
        bad += move_tokens(&desc->ports[k], (uint64_t *)(void *)windows[k].firing, number);
    __atomic_fetch_add(&wrong, bad, __ATOMIC_RELAXED);
    return (desc->index[0] == way.ends && number == way.at) ||
           (desc->index[0] == 0 && number == TOKENS);
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
    int ports = a->process->desc->port_count, last = 0;
    struct dal_window windows[PORTS];
    memcpy(windows, a->windows, (size_t)ports * sizeof(windows[0]));
    for (a->fired = 0, a->early = 0; !last && !a->early && a->fired < a->firings;
         a->fired += !last) {
        last = fire_once(a->process, windows, p->local->fired++);
        a->early = !last && a->fired + 1 < a->firings && is_cut(a);
        for (int k = 0; k < ports; k++)
            windows[k].firing += windows[k].bytes;
    }
    for (int k = 0; k < ports; k++)
        a->windows[k].done = last && way.fails ? 0 : windows[k].bytes;
    a->status = last && !way.fails;
}

static int fire_process(DALProcess *p)
{
    (void)p;
    return 0; /* run_code() does it */
}

static const struct dal_code code = {
    .state = &state, .init = init, .fire = fire_process, .finish = finish_process, .run = run_code};

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

/* Inputs come first: a copy looks at port 0. */
static void add_ports(struct tables *t, const struct graph *graph, int output)
{
    int second = -1;
    for (int i = 0; i < t->net.channel_count; i++) {
        const struct arc *arc = &graph->arcs[i];
        if (!output)
            add_port(t, arc->to, 0, i, arc->rate_out);
        else if (i != second)
            add_port(t, arc->from, 1, i, arc->rate_in);
        second = arc->next ? arc->next : second;
    }
}

static void fill(struct tables *t, const struct graph *graph)
{
    static const struct dal_processor_desc cores[] = {
        {.name = "core_0", .kind = DAL_PROCESSOR_CORE, .core = -1},
        {.name = "core_1", .kind = DAL_PROCESSOR_CORE, .core = -1}};
    static const int numbers[MOST] = {0, 1, 2, 3, 4, 5}, both[] = {0, 1};
    int i;
    *t = (struct tables){.net = {.version = DAL_NET_VERSION,
                                 .name = "clusters",
                                 .processors = cores,
                                 .processor_count = 2,
                                 .processes = t->processes,
                                 .process_count = (int)strlen(graph->cores),
                                 .channels = channels,
                                 .queue.depth = 4,
                                 .queue.policy = "fcfs"}};
    for (i = 0; i < t->net.process_count; i++) {
        int shared = graph->cores[i] == 'b';
        t->processes[i] = (struct dal_process_desc){.name = "p",
                                                    .base = "p",
                                                    .processors = &both[graph->cores[i] == '1'],
                                                    .processor_count = 1 + shared,
                                                    .code = &code,
                                                    .block = graph->block,
                                                    .shadow_copies = shared ? graph->copies : 1,
                                                    .ports = t->ports[i],
                                                    .index = &numbers[i],
                                                    .index_count = 1,
                                                    .origin = {"net.xml", i}};
    }
    for (i = 0; i < ARCS && graph->arcs[i].rate_in; i++) {
        const struct arc *arc = &graph->arcs[i];
        int inside =
            graph->cores[arc->from] == graph->cores[arc->to] && graph->cores[arc->to] != 'b';
        channels[i] =
            (struct dal_channel_desc){.name = "c",
                                      .kind = inside ? DAL_CHANNEL_CORE : DAL_CHANNEL_CORES,
                                      .producer = arc->from,
                                      .consumer = arc->to,
                                      .capacity = graph->capacity,
                                      .token_bytes = sizeof(uint64_t),
                                      .rate_in = arc->rate_in,
                                      .rate_out = arc->rate_out,
                                      .initial_tokens = arc->initial,
                                      .next_of_port = arc->next};
    }
    t->net.channel_count = i;
    add_ports(t, graph, 0);
    add_ports(t, graph, 1);
}

/* The processes that fire as one: "012 34". */
static void describe(const struct dal_network *network, char *text)
{
    for (int i = 0; i < network->groups.count; i++) {
        const struct dal_group *group = network->groups.list[i];
        if (group->actor.count == 1)
            continue;
        if (*text)
            strcat(text, " ");
        for (int k = 0; k < group->actor.count; k++)
            strncat(text, &"012345"[dal__member(group, k) - network->processes], 1);
    }
}

/* Runs a graph; `firings` gets those of each process. */
static int try(const struct graph *graph, uint64_t *firings)
{
    struct dal_monitor_limits limits = dal_monitor_usual;
    struct dal_network_options options = {.limits = &limits};
    struct dal_network *network;
    struct tables tables;
    char clusters[3 * MOST] = "";
    int status;
    fill(&tables, graph);
    if (way.stall_ns)
        limits.stall_ns = way.stall_ns;
    limits.report_ns = way.report_ns;
    limits.runs_too = way.runs_too;
    wrong = 0;
    status = dal_network_create(&network, &tables.net, &options);
    CU_ASSERT_EQUAL_FATAL(status, DAL_OK);
    describe(network, clusters);
    CU_ASSERT_STRING_EQUAL(clusters, graph->clusters);
    status = dal_network_run(network);
    CU_ASSERT_EQUAL(wrong, 0);
    for (int i = 0; i < tables.net.process_count; i++)
        firings[i] = network->processes[i].firings;
    dal_network_destroy(network);
    CU_ASSERT_EQUAL(dal_pages_held(), 0);
    return status;
}

static void complete_all(const struct graph *list, size_t count)
{
    uint64_t firings[MOST];
    way.ends = 0;
    way.at = TOKENS;
    for (size_t i = 0; i < count; i++)
        CU_ASSERT_EQUAL(try(&list[i], firings), DAL_OK);
}

#define CHAIN                                                                                      \
    {                                                                                              \
        {0, 1, 1, 1, 0, 0}, {1, 2, 1, 1, 0, 0},                                                    \
        {                                                                                          \
            2, 3, 1, 1, 0, 0                                                                       \
        }                                                                                          \
    }

/* Tokens of a firing become more and fewer. */
#define UNEVEN                                                                                     \
    {                                                                                              \
        {0, 1, 1, 1, 0, 0}, {1, 2, 3, 3, 0, 0},                                                    \
        {                                                                                          \
            2, 3, 1, 1, 0, 0                                                                       \
        }                                                                                          \
    }
#define STEPS                                                                                      \
    {                                                                                              \
        {0, 1, 1, 1, 0, 0}, {1, 2, 2, 2, 0, 0}, {2, 3, 3, 3, 0, 0}, {3, 4, 1, 1, 0, 0},            \
        {                                                                                          \
            4, 5, 2, 2, 0, 0                                                                       \
        }                                                                                          \
    }
/* Ways of several lengths beside each other. */
#define LADDER                                                                                     \
    {                                                                                              \
        {0, 1, 1, 1, 0, 0}, {1, 2, 1, 1, 0, 0}, {2, 3, 1, 1, 0, 0}, {0, 2, 2, 2, 0, 0},            \
        {                                                                                          \
            1, 3, 1, 1, 0, 0                                                                       \
        }                                                                                          \
    }
#define LONG                                                                                       \
    {                                                                                              \
        {0, 1, 1, 1, 0, 0}, {1, 2, 1, 1, 0, 0}, {2, 3, 1, 1, 0, 0}, {3, 4, 1, 1, 0, 0},            \
        {                                                                                          \
            4, 5, 1, 1, 0, 0                                                                       \
        }                                                                                          \
    }

static void chains(void)
{
    static const struct graph list[] = {
        {"0000", CHAIN, 16, 4, 1, "0123"},    {"0000", CHAIN, 1, 1, 1, "0123"},
        {"0011", CHAIN, 16, 4, 1, "01 23"},   {"0110", CHAIN, 3, 1, 1, "12"},
        {"0110", CHAIN, 64, 16, 1, "12"},     {"0000", UNEVEN, 48, 4, 1, "0123"},
        {"0000", UNEVEN, 3, 1, 1, "0123"},    {"0000", LADDER, 16, 4, 1, "0123"},
        {"0000", LADDER, 2, 1, 1, "0123"},    {"000000", LONG, 16, 4, 1, "012345"},
        {"000000", LONG, 1, 1, 1, "012345"},  {"000000", STEPS, 48, 16, 1, "012345"},
        {"000000", STEPS, 3, 1, 1, "012345"},
    };
    complete_all(list, sizeof(list) / sizeof(list[0]));
}

/* Stateless processes on both cores fire as one if there is a copy for each core, and room. */
static void copied(void)
{
    static const struct graph list[] = {
        {"0bb0", CHAIN, 16, 4, 2, "12"},   {"0bb0", CHAIN, 2, 1, 2, "12"},
        {"0bb0", CHAIN, 1, 1, 2, ""},      {"0bb0", CHAIN, 16, 4, 1, ""},
        {"0bb1", CHAIN, 100, 25, 2, "12"}, {"0bbbb0", LONG, 16, 4, 2, "1234"},
        {"0bbbb1", LONG, 2, 1, 2, "1234"},
    };
    complete_all(list, sizeof(list) / sizeof(list[0]));
}

/* What keeps processes from firing as one. */
static void cuts(void)
{
    static const struct graph list[] = {
        /* initial tokens, another rate */
        {"0000", {{0, 1, 1, 1, 0, 0}, {1, 2, 1, 1, 1, 0}, {2, 3, 1, 1, 0, 0}}, 16, 4, 1, "01 23"},
        {"0000", {{0, 1, 2, 2, 0, 0}, {1, 2, 2, 1, 0, 0}, {2, 3, 3, 3, 0, 0}}, 16, 4, 1, "01 23"},
        /* a channel to oneself, at the first and at a later one */
        {"000", {{0, 1, 1, 1, 0, 0}, {1, 2, 1, 1, 0, 0}, {0, 0, 1, 1, 1, 0}}, 16, 4, 1, "12"},
        {"000", {{0, 1, 1, 1, 0, 0}, {1, 2, 1, 1, 0, 0}, {1, 1, 1, 1, 1, 0}}, 16, 4, 1, ""},
        /* out and back, and two ways out that meet */
        {"0010",
         {{0, 1, 1, 1, 0, 0}, {0, 2, 1, 1, 0, 0}, {2, 3, 1, 1, 0, 0}, {1, 3, 1, 1, 0, 0}},
         16,
         4,
         1,
         ""},
        {"0011",
         {{0, 1, 1, 1, 0, 0}, {0, 2, 1, 1, 0, 0}, {2, 3, 1, 1, 0, 0}, {1, 3, 1, 1, 0, 0}},
         16,
         4,
         1,
         ""},
        /* two ways out that do not */
        {"0011", {{0, 1, 1, 1, 0, 0}, {0, 2, 1, 1, 0, 0}, {1, 3, 1, 1, 0, 0}}, 16, 4, 1, "01"},
        /* a diamond inside */
        {"0000",
         {{0, 1, 1, 1, 0, 0}, {0, 2, 1, 1, 0, 0}, {2, 3, 1, 1, 0, 0}, {1, 3, 1, 1, 0, 0}},
         16,
         4,
         1,
         "0123"},
        /* a port with two readers: both inside, one inside, none */
        {"000", {{0, 1, 1, 1, 0, 1}, {0, 2, 1, 1, 0, 0}}, 16, 4, 1, ""},
        {"001", {{0, 1, 1, 1, 0, 1}, {0, 2, 1, 1, 0, 0}}, 16, 4, 1, ""},
        {"0011", {{0, 1, 1, 1, 0, 0}, {1, 2, 1, 1, 0, 2}, {1, 3, 1, 1, 0, 0}}, 16, 4, 1, "01"},
    };
    complete_all(list, sizeof(list) / sizeof(list[0]));
}

/* A process ends in the middle: all that it wrote arrives, and what came before it is whole. */
static void ends(const struct graph *graph)
{
    uint64_t firings[MOST];
    for (way.ends = 0; way.ends < 4; way.ends++)
        for (way.at = 0; way.at < 300; way.at += 1 + way.at / 3) {
            CU_ASSERT_EQUAL(try(graph, firings), DAL_OK);
            for (int i = 0; graph->cores[i]; i++)
                CU_ASSERT_TRUE(i < way.ends ? firings[i] >= way.at + 1 : firings[i] == way.at + 1);
        }
}

static void end_in_a_block(void)
{
    ends(&(struct graph){"0000", CHAIN, 16, 4, 1, "0123"});
    ends(&(struct graph){"0011", CHAIN, 16, 4, 1, "01 23"});
    ends(&(struct graph){"0000", UNEVEN, 48, 4, 1, "0123"});
    ends(&(struct graph){"0000", UNEVEN, 3, 1, 1, "0123"});
    ends(&(struct graph){"0000", LADDER, 16, 4, 1, "0123"});
    ends(&(struct graph){"0000", LADDER, 2, 1, 1, "0123"});
    ends(&(struct graph){"000000", LONG, 16, 4, 1, "012345"});
    ends(&(struct graph){"000000", STEPS, 48, 16, 1, "012345"});
    ends(&(struct graph){"000000", STEPS, 3, 1, 1, "012345"});
    ends(&(struct graph){"000011", LONG, 16, 4, 1, "0123 45"});
}

/* Others have begun by then, with tokens that are not theirs any more. */
static void end_in_a_copy(void)
{
    ends(&(struct graph){"0bb0", CHAIN, 16, 2, 2, "12"});
    ends(&(struct graph){"0bb1", CHAIN, 2, 1, 2, "12"});
    ends(&(struct graph){"0bbbb0", LONG, 16, 4, 2, "1234"});
    ends(&(struct graph){"0bbbb1", LONG, 2, 1, 2, "1234"});
}

/* What goes on for readers elsewhere has all its tokens. */
static void end_aside(void)
{
    static const struct graph fork = {
        "0001", {{0, 1, 1, 1, 0, 0}, {1, 2, 1, 1, 0, 0}, {1, 3, 1, 1, 0, 0}}, 64, 16, 1, "012"};
    uint64_t firings[MOST];
    way.ends = 2;
    for (way.at = 0; way.at < 300; way.at += 1 + way.at / 3) {
        CU_ASSERT_EQUAL(try(&fork, firings), DAL_OK);
        CU_ASSERT_EQUAL(firings[1], TOKENS + 1);
        CU_ASSERT_EQUAL(firings[2], way.at + 1);
        CU_ASSERT_EQUAL(firings[3], TOKENS + 1);
    }
}

/* Runs are cut short anywhere. */
static void cut_short(void)
{
    for (way.cut = 1; way.cut <= 9; way.cut += 2) {
        chains();
        copied();
        end_in_a_block();
        end_in_a_copy();
        end_aside();
    }
    way.cut = 0;
}

static void failure(void)
{
    static const struct graph one = {"0000", CHAIN, 16, 4, 1, "0123"},
                              two = {"0bb0", CHAIN, 16, 2, 2, "12"};
    uint64_t firings[MOST];
    way.fails = 1;
    way.at = 100;
    for (way.ends = 0; way.ends < 3; way.ends++) {
        CU_ASSERT_EQUAL(try(&one, firings), DAL_ERR_PROCESS);
        CU_ASSERT_TRUE(firings[way.ends + 1] <= 100);
        CU_ASSERT_EQUAL(try(&two, firings), DAL_ERR_PROCESS);
        CU_ASSERT_TRUE(firings[way.ends + 1] <= 100);
    }
    way.fails = 0;
}

/* Every allocation fails once: the network is not made, or does all, and everything is given back.
 */
static void without_memory(void)
{
    static const struct graph graphs[] = {{"000011", STEPS, 48, 16, 1, "0123 45"},
                                          {"0bbbb0", LONG, 16, 4, 2, "1234"}};
    struct tables tables;
    struct capture said;
    int status;
    way.ends = 3;
    way.at = 20;
    for (int i = 0; i < 2; i++) {
        unsigned long n = 0;
        fill(&tables, &graphs[i]);
        do {
            const struct dal_network_options options = {.limits = &dal_monitor_usual};
            struct dal_network *network;
            CU_ASSERT_EQUAL_FATAL(capture_begin(&said), 0);
            dal_alloc_fail_at(++n);
            status = dal_network_create(&network, &tables.net, &options);
            dal_alloc_fail_at(0);
            CU_ASSERT_EQUAL(status == DAL_OK, *capture_end(&said) == '\0');
            capture_finish(&said);
            CU_ASSERT_TRUE(status == DAL_OK || status == DAL_ERR_NOMEM);
            dal_network_destroy(network);
            CU_ASSERT_EQUAL(dal_pages_held(), 0);
        } while (status < 0 && n < 10000);
        CU_ASSERT_TRUE(n > 30);
    }
}

/* Many slow firings in a row do not look as if nothing moved. */
static void slow_firings(void)
{
    static const struct graph one = {"0000", CHAIN, 4096, 4096, 1, "0123"},
                              four = {"0101", CHAIN, 4096, 4096, 1, ""};
    uint64_t firings[MOST];
    way.nap_ns = 15000000;
    way.stall_ns = 1000000000;
    way.ends = 0;
    way.at = 100;
    CU_ASSERT_EQUAL(try(&one, firings), DAL_OK);
    CU_ASSERT_EQUAL(try(&four, firings), DAL_OK);
    way.nap_ns = 300000000; /* four of them are more than a second */
    way.all_nap = 1;
    way.at = 1;
    CU_ASSERT_EQUAL(try(&one, firings), DAL_OK);
    way.nap_ns = way.all_nap = 0;
    way.stall_ns = 0;
}

/* What runs is work however long it takes, unless there is a limit for it; it is reported. */
static void long_calls(void)
{
    static const struct graph graphs[] = {{"0000", CHAIN, 16, 4, 1, "0123"},
                                          {"0101", CHAIN, 16, 4, 1, ""},
                                          {"0bb0", CHAIN, 16, 4, 2, "12"}};
    static const char *const calls[] = {"firing", "init", "finish"};
    uint64_t firings[MOST];
    struct capture said;
    char words[64];
    way.nap_ns = 900000000;
    way.stall_ns = way.report_ns = 100000000;
    way.ends = 0;
    way.at = 0;
    for (int i = 0; i < 9; i++) {
        way.in = calls[i % 3];
        snprintf(words, sizeof(words), "process p: its %s has not returned", way.in);
        for (way.runs_too = 0; way.runs_too < 2; way.runs_too++) {
            CU_ASSERT_EQUAL_FATAL(capture_begin(&said), 0);
            CU_ASSERT_EQUAL(try(&graphs[i / 3], firings), way.runs_too ? DAL_ERR_STALLED : DAL_OK);
            CU_ASSERT_PTR_NOT_NULL(strstr(capture_end(&said), words));
            capture_finish(&said);
        }
    }
    way.in = NULL;
    way.nap_ns = way.stall_ns = way.report_ns = 0;
    way.runs_too = 0;
}

int main(void)
{
    static const struct test tests[] = {
        {"chains", chains},
        {"stateless processes on two cores", copied},
        {"what keeps processes apart", cuts},
        {"an end in a block", end_in_a_block},
        {"an end in a copy", end_in_a_copy},
        {"an end that others do not share", end_aside},
        {"runs that are cut short", cut_short},
        {"an output that is not written", failure},
        {"an allocation that fails", without_memory},
        {"slow firings", slow_firings},
        {"calls that are long", long_calls},
    };
    return run_suite("cluster", tests, sizeof(tests) / sizeof(tests[0]));
}
