/* Chooses the cyclo-static processes that are fired phase by phase. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/analyse/graph.h"
#include "spec/sdf/live.h"

#include <string.h>

/* Limit of channel ends that the choice looks at: a second or two, the same on every machine. The
 * behaviour of programs depends on the choice. */
#define MOST_WORK ((uint64_t)1 << 29)

/* A network, and the work that is left. */
struct choice {
    struct dal_spec_network *network;
    struct dal_sdf_budget budget;
};

static struct choice begin_choice(struct dal_spec_network *network)
{
    return (struct choice){.network = network, .budget = {.work = MOST_WORK}};
}

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
           (process->source_count == 0 || dal_spec_source_for(process, DAL_PROCESSOR_CORE));
}

/* Lists the sizes that the network gives, by channel of the graph. NULL without memory. */
static uint64_t *list_sizes(const struct dal_sdf_graph *graph)
{
    uint64_t *sizes = dal_calloc(graph->channel_count + 1, sizeof(*sizes));
    for (size_t i = 0; sizes && i < graph->channel_count; i++)
        sizes[i] = graph->channels[i].given ? graph->channels[i].given : DAL_SDF_UNLIMITED;
    return sizes;
}

/* Takes those that wait for each other. Returns how many. */
static size_t take_loops(struct dal_spec_network *network, const struct dal_sdf_graph *graph,
                         const unsigned char *in_loop)
{
    size_t count = 0;
    for (size_t i = 0; i < graph->process_count; i++) {
        struct dal_spec_process *process = &network->processes[graph->processes[i].origin];
        if (!in_loop[i] || process->by_phase || !may_be_chosen(process))
            continue;
        process->by_phase = 1;
        count++;
    }
    return count;
}

/* Is the network dead? Then `taken` counts what is taken of all its dead loops; NULL to take none.
 */
static int look_at_all(struct choice *choice, int *dead, size_t *taken)
{
    struct dal_sdf_graph graph = {0};
    uint64_t *sizes = NULL;
    unsigned char *in_loop = NULL;
    int status = dal_spec_graph_init(&graph, choice->network, NULL);
    *dead = 0;
    if (!status) {
        sizes = list_sizes(&graph);
        in_loop = dal_calloc(graph.process_count + 1, 1);
        status = sizes && in_loop
                     ? dal_sdf_dead_loops(&graph, sizes, &choice->budget, in_loop, dead)
                     : DAL_ERR_NOMEM;
    }
    if (!status && taken)
        *taken = *dead ? take_loops(choice->network, &graph, in_loop) : 0;
    dal_free_all(sizes, in_loop);
    dal_sdf_graph_finish(&graph);
    return status;
}

static void choose_none(struct dal_spec_network *network)
{
    for (size_t i = 0; i < network->process_count; i++) {
        struct dal_spec_process *process = &network->processes[i];
        process->by_phase = process->firing == DAL_FIRING_PHASE && process->phases > 1;
    }
}

/* Chooses from all dead loops, and again from those that are still dead then. If none of their
 * processes can be chosen, the network stays dead. A loop is dead whatever the others do, so they
 * are taken together. */
static int choose(struct choice *choice, int *dead)
{
    size_t taken;
    int status;
    do
        status = look_at_all(choice, dead, &taken);
    while (!status && taken > 0);
    return status;
}

/* Looks for dead loops in the strongly connected part of this process alone. The network is live
 * but for this process, so no other part can be dead. */
static int look_at_part(struct choice *choice, size_t process, int *dead)
{
    struct dal_sdf_graph graph = {0};
    struct dal_sdf_parts parts = {0};
    uint64_t *sizes = NULL;
    unsigned char *in_loop = NULL;
    size_t number = 0;
    int status = dal_spec_graph_init(&graph, choice->network, NULL);
    while (!status && graph.processes[number].origin != process)
        number++;
    if (!status) {
        sizes = list_sizes(&graph);
        in_loop = dal_calloc(graph.process_count + 1, 1);
        status =
            sizes && in_loop ? dal_sdf_parts_init(&parts, &graph, sizes, number) : DAL_ERR_NOMEM;
    }
    if (!status && dal_sdf_spend(&choice->budget, graph.process_count + graph.channel_count))
        status = dal_sdf_dead_loops(&parts.list[0], sizes, &choice->budget, in_loop, dead);
    dal_sdf_parts_finish(&parts);
    dal_free_all(sizes, in_loop);
    dal_sdf_graph_finish(&graph);
    return status;
}

/* Sets processes back to firing by cycles where the network stays live, until the work is used
 * up. */
static int drop_needless(struct choice *choice)
{
    struct dal_spec_network *network = choice->network;
    int status = DAL_OK;
    for (size_t i = 0; i < network->process_count && !status && !choice->budget.expired; i++) {
        struct dal_spec_process *process = &network->processes[i];
        int dead = 0;
        if (!process->by_phase || process->firing == DAL_FIRING_PHASE)
            continue;
        process->by_phase = 0;
        status = look_at_part(choice, i, &dead);
        process->by_phase = dead || choice->budget.expired;
    }
    return status;
}

/* A network that is dead in any case keeps its phases, so that what it lacks is told by phases. */
static int choose_needed(struct choice *choice)
{
    struct dal_spec_network *network = choice->network;
    int dead, status = look_at_all(choice, &network->dead_by_cycles, NULL);
    choose_none(network);
    if (status || !network->dead_by_cycles)
        return status;
    status = choose(choice, &dead);
    network->phases_open = choice->budget.expired;
    if (status || network->phases_open)
        choose_none(network);
    else if (!dead)
        status = drop_needless(choice);
    return status;
}

/* Copies the network with other sizes. The caller frees the lists of the copy. */
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
    struct choice choice = begin_choice(&copy);
    int dead = 1, status = copy_with_sizes(&copy, network, capacity);
    if (!status)
        status = choose(&choice, &dead);
    dead |= choice.budget.expired;
    if (!status && !dead)
        status = drop_needless(&choice);
    for (size_t i = 0; i < network->process_count; i++)
        helps[i] =
            !status && !dead && copy.processes[i].by_phase && !network->processes[i].by_phase;
    dal_free_all(copy.processes, copy.channels);
    return status;
}

int dal_spec_choose_phases(struct dal_spec_network *network)
{
    struct choice choice = begin_choice(network);
    struct dal_diags quiet;
    int status, cyclic = 0;
    for (size_t i = 0; i < network->process_count; i++)
        cyclic |= network->processes[i].phases > 1;
    if (!cyclic)
        return DAL_OK;
    dal_diags_init(&quiet);
    status = dal_spec_repetitions(&quiet, network);
    if (!status)
        status = choose_needed(&choice);
    else
        status = quiet.lost ? DAL_ERR_NOMEM : DAL_OK; /* rates that do not fit are told of later */
    dal_diags_finish(&quiet);
    return status;
}
