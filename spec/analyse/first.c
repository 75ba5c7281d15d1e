/*
 * Channels of the newest token do not tie rates to each other, so the analysis leaves them out. But
 * before its reader fires for the first time, its writer must have. For one iteration without time,
 * that is a channel that gets tokens for all firings of its reader with each firing of its writer.
 * Capacities count as unlimited, since rings grow.
 */
#include "spec/analyse/graph.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

enum { MOST_NOTES = 8 };

/* Most firings in an iteration at both ends, so that numbers of tokens fit. A channel with more is
 * not looked at. */
#define MOST_FIRINGS ((uint64_t)1 << 30)

/* Adds such a channel. `numbers` are those of processes in the graph. */
static void add_newest(struct dal_sdf_graph *graph, const struct dal_spec_channel *c,
                       const size_t *numbers)
{
    size_t number = graph->channel_count;
    if (c->producer->repetitions > MOST_FIRINGS || c->consumer->repetitions > MOST_FIRINGS)
        return;
    graph->channels[graph->channel_count++] =
        (struct dal_sdf_channel){.producer = numbers[c->producer->number],
                                 .consumer = numbers[c->consumer->number],
                                 .rate_in = c->consumer->repetitions,
                                 .rate_out = 1,
                                 .number = number,
                                 .origin = c->number,
                                 .first_of_port = number,
                                 .next_of_port = DAL_SDF_NONE,
                                 .name = c->name,
                                 .place = c->place};
}

/* Tells of the circle, if one of its waits is for a first token. One of other channels alone is for
 * the analysis to tell. */
static void tell_circle(struct dal_diags *diags, const struct dal_sdf_graph *graph,
                        const struct dal_sdf_deadlock *deadlock, size_t first_newest)
{
    size_t length = deadlock->cycle_count, at = length;
    const struct dal_sdf_wait *cycle = deadlock->cycle;
    const struct dal_sdf_channel *c;
    for (size_t i = 0; i < length; i++)
        if (cycle[i].channel >= first_newest &&
            (at == length || cycle[i].channel < cycle[at].channel))
            at = i;
    if (at == length)
        return;
    c = &graph->channels[cycle[at].channel];
    dal_error(diags, c->place, "deadlock",
              "the network deadlocks: sw_channel '%s' never has a first token, since process '%s' "
              "cannot fire before '%s' has",
              c->name, graph->processes[c->producer].name, graph->processes[c->consumer].name);
    for (size_t i = 1; i < length && i <= MOST_NOTES; i++) {
        c = &graph->channels[cycle[(at + i) % length].channel];
        dal_note(diags, c->place, "process '%s' waits for '%s' at sw_channel '%s'",
                 graph->processes[c->consumer].name, graph->processes[c->producer].name, c->name);
    }
}

/* Executes an iteration of the graph, with all channels of the newest token in it. */
static int execute(struct dal_diags *diags, const struct dal_spec_network *network,
                   struct dal_sdf_graph *graph, size_t *numbers, uint64_t *capacity)
{
    size_t first_newest = graph->channel_count;
    struct dal_sdf_budget no_fix = {.work = 1};
    struct dal_sdf_deadlock deadlock;
    int known, status;
    for (size_t i = 0; i < graph->process_count; i++)
        numbers[graph->processes[i].origin] = i;
    for (size_t i = 0; i < network->channel_count; i++) {
        capacity[i] = DAL_SDF_UNLIMITED;
        if (network->channels[i].newest.is_given)
            add_newest(graph, &network->channels[i], numbers);
    }
    dal_sdf_graph_ends(graph);
    status = dal_sdf_deadlock_find(&deadlock, graph, capacity, &no_fix, &known);
    if (!status && deadlock.dead)
        tell_circle(diags, graph, &deadlock, first_newest);
    dal_sdf_deadlock_finish(&deadlock);
    return status;
}

/* Makes the graph, with room for all. Rates that contradict each other are for the analysis. */
static int look_for_circle(struct dal_diags *diags, struct dal_spec_network *network)
{
    size_t *numbers = dal_calloc(network->process_count + 1, sizeof(*numbers));
    uint64_t *capacity = dal_calloc(network->channel_count + 1, sizeof(*capacity));
    struct dal_sdf_graph graph = {0};
    struct dal_diags quiet;
    int status = numbers && capacity ? dal_spec_choose_phases(network) : DAL_ERR_NOMEM;
    dal_diags_init(&quiet);
    if (!status)
        status = dal_spec_repetitions(&quiet, network);
    if (!status)
        status = dal_spec_graph_init(&graph, network, NULL);
    if (!status)
        status = execute(diags, network, &graph, numbers, capacity);
    if (quiet.lost)
        status = DAL_ERR_NOMEM;
    dal_diags_finish(&quiet);
    dal_sdf_graph_finish(&graph);
    dal_free_all(numbers, capacity);
    return status;
}

void dal_spec_check_first(struct dal_diags *diags, struct dal_spec_network *network)
{
    size_t i = 0;
    while (i < network->channel_count && !network->channels[i].newest.is_given)
        i++;
    if (i < network->channel_count && look_for_circle(diags, network) == DAL_ERR_NOMEM)
        diags->lost = 1;
}
