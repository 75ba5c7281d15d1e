/*
 * What the analysis says holds in the runtime: random networks with the minimum capacities that it
 * finds complete 100 iterations, each process with the firings of the repetition vector; with one
 * token less in any channel of a minimum that is proven, they come to a standstill.
 */
#include "rt/network/network.h"

#include "test/capture.h"
#include "test/network/iterations.h"
#include "test/suite.h"

#include <string.h>

enum { ROUNDS = 300, STANDSTILLS = 20, ITERATIONS = 100, PORTS = 2 * ITERATIONS_MOST };
static const int64_t STANDSTILL_NS = 50000000;

/* A network in the runtime's tables. */
struct tables {
    struct dal_process_desc processes[ITERATIONS_MOST];
    struct dal_channel_desc channels[ITERATIONS_MOST];
    struct dal_port_desc ports[ITERATIONS_MOST][PORTS];
    int cores[ITERATIONS_MOST];
    struct dal_net net;
};

/* All windows are used; what is in them does not matter here. After 100 iterations it ends. */
static int fire_process(DALProcess *p)
{
    (void)p;
    return 0;
}

struct _local_states {
    uint64_t firings;
};

static const struct dal_state state = {sizeof(struct _local_states),
                                       _Alignof(struct _local_states)};

static void run_code(DALProcess *p, struct dal_activation *a)
{
    struct dal_process *process = a->process;
    uint64_t left = ITERATIONS * process->desc->repetitions - p->local->firings;
    a->status = a->firings >= left;
    a->fired = a->status ? left - 1 : a->firings; /* the last is not counted */
    p->local->firings += a->fired;
    for (int i = 0; i < process->desc->port_count; i++)
        a->windows[i].done = a->windows[i].bytes;
}

static const struct dal_code code = {.state = &state, .fire = fire_process, .run = run_code};

static void add_port(struct tables *t, const struct iterations_graph *graph, int channel,
                     int output)
{
    const struct iterations_channel *c = &graph->list[channel];
    int process = output ? c->from : c->to;
    t->ports[process][t->processes[process].port_count++] =
        (struct dal_port_desc){.name = "port",
                               .output = output,
                               .channel = channel,
                               .rate = output ? c->produce : c->consume};
}

static void add_process(struct tables *t, const struct iterations_graph *graph, int number)
{
    t->cores[number] = (int)iterations_below(2);
    t->processes[number] = (struct dal_process_desc){.name = "p",
                                                     .base = "p",
                                                     .processors = &t->cores[number],
                                                     .processor_count = 1,
                                                     .code = &code,
                                                     .shadow_copies = 1,
                                                     .block = 1 + iterations_below(3),
                                                     .io = 1, /* fires also for nobody */
                                                     .ports = t->ports[number],
                                                     .repetitions = graph->repetitions[number],
                                                     .origin = {"graph", 1}};
}

static void add_channel(struct tables *t, const struct iterations_graph *graph, int number)
{
    const struct iterations_channel *c = &graph->list[number];
    int one_core = t->cores[c->from] == t->cores[c->to];
    t->channels[number] =
        (struct dal_channel_desc){.name = "c",
                                  .kind = one_core ? DAL_CHANNEL_CORE : DAL_CHANNEL_CORES,
                                  .producer = c->from,
                                  .consumer = c->to,
                                  .capacity = c->capacity,
                                  .token_bytes = 1,
                                  .rate_in = c->produce,
                                  .rate_out = c->consume,
                                  .initial_tokens = c->initial};
    add_port(t, graph, number, 1);
    add_port(t, graph, number, 0);
}

static void fill(struct tables *t, const struct iterations_graph *graph)
{
    static const struct dal_processor_desc cores[] = {
        {.name = "core_0", .kind = DAL_PROCESSOR_CORE, .core = -1},
        {.name = "core_1", .kind = DAL_PROCESSOR_CORE, .core = -1}};
    memset(t, 0, sizeof(*t));
    for (int i = 0; i < graph->processes; i++)
        add_process(t, graph, i);
    for (int i = 0; i < graph->channels; i++)
        add_channel(t, graph, i);
    t->net = (struct dal_net){.version = DAL_NET_VERSION,
                              .name = "graph",
                              .processors = cores,
                              .processor_count = 2,
                              .processes = t->processes,
                              .process_count = graph->processes,
                              .channels = t->channels,
                              .channel_count = graph->channels,
                              .queue.depth = 1,
                              .queue.policy = "fcfs"};
}

/* A source ends when nobody reads any more: with initial tokens it needs fewer firings. */
static void check_firings(const struct dal_process *process)
{
    uint64_t wanted = ITERATIONS * process->desc->repetitions;
    CU_ASSERT(process->firings <= wanted);
    CU_ASSERT(process->source || process->firings == wanted);
}

/* Runs until the end, or until nothing has moved for so long. Returns the run's status. */
static int execute(const struct iterations_graph *graph, int64_t stall_ns)
{
    static struct tables tables;
    const struct dal_monitor_limits limits = {.stall_ns = stall_ns};
    const struct dal_network_options options = {.limits = &limits};
    struct dal_network *network;
    int status;
    fill(&tables, graph);
    CU_ASSERT_EQUAL_FATAL(dal_network_create(&network, &tables.net, &options), DAL_OK);
    status = dal_network_run(network);
    for (int i = 0; status == DAL_OK && i < graph->processes; i++)
        check_firings(&network->processes[i]);
    dal_network_destroy(network);
    return status;
}

static void minimum_is_enough(void)
{
    struct iterations_graph graph;
    int live = 0;
    for (int round = 0; round < ROUNDS; round++) {
        if (!iterations_draw(&graph))
            continue;
        live++;
        CU_ASSERT_EQUAL(execute(&graph, 0), DAL_OK);
    }
    printf("%d live ", live);
    CU_ASSERT(live > ROUNDS / 2);
}

/* A capacity below what one firing moves is no channel at all. */
static int can_shrink(const struct iterations_channel *channel)
{
    uint64_t least = channel->produce > channel->consume ? channel->produce : channel->consume;
    if (channel->initial > least)
        least = channel->initial;
    return !channel->is_loop && channel->capacity > least;
}

static void less_is_not(void)
{
    struct iterations_graph graph;
    struct capture said;
    int tried = 0, i;
    while (tried < STANDSTILLS) {
        if (!iterations_draw(&graph) || !graph.proven)
            continue;
        for (i = 0; i < graph.channels && !can_shrink(&graph.list[i]); i++)
            ;
        if (i == graph.channels)
            continue;
        graph.list[i].capacity--;
        CU_ASSERT_EQUAL_FATAL(capture_begin(&said), 0);
        CU_ASSERT_EQUAL(execute(&graph, STANDSTILL_NS), DAL_ERR_STALLED);
        CU_ASSERT_PTR_NOT_NULL(strstr(capture_end(&said), "no token has moved"));
        capture_finish(&said);
        tried++;
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"100 iterations with minimum capacities", minimum_is_enough},
        {"a standstill with one token less", less_is_not},
    };
    return run_suite("iterations", tests, sizeof(tests) / sizeof(tests[0]));
}
