/* Which cyclo-static processes are fired phase by phase. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/graph.h"
#include "spec/sdf/live.h"

#include <string.h>

/* It is tried for so many processes whether the network is live without their phases, and not where
 * an iteration has more firings than so many. */
enum { MOST_TRIED = 64, MOST_FIRINGS = 1 << 20 };

const char *dal__phases_fault(const struct dal_spec_process *process)
{
    if (process->kpn)
        return "has a port with a dynamic rate: it has no phases";
    if (process->periodic.period_ns)
        return "is periodic, and a release is for whole cycles";
    if (process->shadow_copies > 1)
        return "has shadow copies, and each would be in a phase of its own";
    return NULL;
}

static int may_be_chosen(const struct dal_spec_process *process)
{
    return process->phases > 1 && process->firing == DAL_FIRING_UNSAID &&
           !dal__phases_fault(process) &&
           (process->source_count == 0 || dal_spec_source_for(process, DAL_CAPABILITY_POSIX));
}

/* With the sizes that the network gives. Is it dead, and who waits for whom? */
static int find_deadlock(struct dal_spec_network *network, struct dal_sdf_graph *graph,
                         struct dal_sdf_deadlock *deadlock)
{
    struct dal_sdf_budget no_fix = {.work = 0};
    uint64_t *capacity = dal_calloc(network->channel_count + 1, sizeof(*capacity));
    int known, status = DAL_ERR_NOMEM;
    *deadlock = (struct dal_sdf_deadlock){0};
    *graph = (struct dal_sdf_graph){0};
    if (capacity)
        status = dal_spec_graph_init(graph, network, NULL);
    for (size_t i = 0; !status && i < graph->channel_count; i++) {
        uint64_t given = graph->channels[i].given;
        capacity[i] = given ? given : DAL_SDF_UNLIMITED;
    }
    if (!status)
        status = dal_sdf_deadlock_find(deadlock, graph, capacity, &no_fix, &known);
    dal_free(capacity);
    return status;
}

static void forget(struct dal_sdf_graph *graph, struct dal_sdf_deadlock *deadlock)
{
    dal_sdf_deadlock_finish(deadlock);
    dal_sdf_graph_finish(graph);
}

static int is_dead(struct dal_spec_network *network, int *dead)
{
    struct dal_sdf_graph graph;
    struct dal_sdf_deadlock deadlock;
    int status = find_deadlock(network, &graph, &deadlock);
    *dead = deadlock.dead;
    forget(&graph, &deadlock);
    return status;
}

/* Takes those of a loop of processes that wait for each other. Returns how many. */
static size_t choose_of_loop(struct dal_spec_network *network, const struct dal_sdf_graph *graph,
                             const struct dal_sdf_deadlock *deadlock)
{
    size_t count = 0;
    for (size_t i = 0; i < deadlock->cycle_count; i++) {
        struct dal_spec_process *process =
            &network->processes[graph->processes[deadlock->cycle[i].process].origin];
        if (process->by_phase || !may_be_chosen(process))
            continue;
        process->by_phase = 1;
        count++;
    }
    return count;
}

static void choose_none(struct dal_spec_network *network)
{
    for (size_t i = 0; i < network->process_count; i++) {
        struct dal_spec_process *process = &network->processes[i];
        process->by_phase = process->firing == DAL_FIRING_PHASE && process->phases > 1;
    }
}

/* One dead loop after the other; where none of one can be chosen, the network stays dead. */
static int choose(struct dal_spec_network *network, int *dead)
{
    size_t chosen;
    int status;
    do {
        struct dal_sdf_graph graph;
        struct dal_sdf_deadlock deadlock;
        status = find_deadlock(network, &graph, &deadlock);
        *dead = deadlock.dead;
        chosen = status || !*dead ? 0 : choose_of_loop(network, &graph, &deadlock);
        forget(&graph, &deadlock);
    } while (chosen > 0);
    return status;
}

static int is_large(const struct dal_spec_network *network)
{
    uint64_t firings = 0;
    for (size_t i = 0; i < network->process_count && firings <= MOST_FIRINGS; i++)
        firings += network->processes[i].repetitions * network->processes[i].phases;
    return firings > MOST_FIRINGS;
}

/* Those that the network is live without begin cycles as ever. */
static int drop_needless(struct dal_spec_network *network)
{
    int dead, status = DAL_OK, tried = is_large(network) ? MOST_TRIED : 0;
    for (size_t i = 0; i < network->process_count && !status && tried < MOST_TRIED; i++) {
        struct dal_spec_process *process = &network->processes[i];
        if (!process->by_phase || process->firing == DAL_FIRING_PHASE)
            continue;
        process->by_phase = 0;
        status = is_dead(network, &dead);
        process->by_phase = dead;
        tried++;
    }
    return status;
}

static int choose_needed(struct dal_spec_network *network)
{
    int dead, status = is_dead(network, &network->dead_by_cycles);
    choose_none(network);
    if (status || !network->dead_by_cycles)
        return status;
    status = choose(network, &dead);
    if (!status && !dead)
        return drop_needless(network);
    choose_none(network);
    return status;
}

/* As if the network gave these sizes. The lists of the copy are to be freed. */
static int copy_with_sizes(struct dal_spec_network *copy, const struct dal_spec_network *network,
                           const uint64_t *capacity)
{
    *copy = *network;
    copy->processes = dal_calloc(network->process_count + 1, sizeof(*copy->processes));
    copy->channels = dal_calloc(network->channel_count + 1, sizeof(*copy->channels));
    if (!copy->processes || !copy->channels)
        return DAL_ERR_NOMEM;
    memcpy(copy->processes, network->processes, network->process_count * sizeof(*copy->processes));
    if (network->channel_count)
        memcpy(copy->channels, network->channels, network->channel_count * sizeof(*copy->channels));
    for (size_t i = 0; i < network->channel_count; i++)
        copy->channels[i].capacity = capacity[i] == DAL_SDF_UNLIMITED ? 0 : capacity[i];
    return DAL_OK;
}

int dal__phases_help(const struct dal_spec_network *network, const uint64_t *capacity, int *helps)
{
    struct dal_spec_network copy;
    int dead = 1, status = copy_with_sizes(&copy, network, capacity);
    if (!status)
        status = choose(&copy, &dead);
    if (!status && !dead)
        status = drop_needless(&copy);
    for (size_t i = 0; i < network->process_count; i++)
        helps[i] =
            !status && !dead && copy.processes[i].by_phase && !network->processes[i].by_phase;
    dal_free(copy.processes);
    dal_free(copy.channels);
    return status;
}

int dal_spec_choose_phases(struct dal_spec_network *network)
{
    struct dal_diags quiet;
    int status, cyclic = 0;
    for (size_t i = 0; i < network->process_count; i++)
        cyclic |= network->processes[i].phases > 1;
    if (!cyclic)
        return DAL_OK;
    dal_diags_init(&quiet);
    status = dal_spec_repetitions(&quiet, network);
    if (!status)
        status = choose_needed(network);
    else
        status = quiet.lost ? DAL_ERR_NOMEM : DAL_OK; /* rates that do not fit are told of later */
    dal_diags_finish(&quiet);
    return status;
}
