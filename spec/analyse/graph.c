#include "spec/analyse/graph.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <inttypes.h>

/* Making the graph */

uint64_t dal_spec_given(const struct dal_spec_channel *channel, uint64_t capacity)
{
    return channel->inplace || channel->newest.is_given ? 0 : capacity;
}

uint64_t dal_spec_limit(const struct dal_spec_channel *channel, uint64_t capacity)
{
    return channel->inplace ? DAL_SDF_UNLIMITED : capacity;
}

uint64_t dal_spec_least_capacity(const struct dal_spec_channel *channel)
{
    if (channel->inplace)
        return channel->initial_tokens;
    return dal_sdf_least_capacity(channel->rate_in, channel->rate_out, channel->initial_tokens,
                                  channel->producer && channel->producer == channel->consumer);
}

static void add_channel(struct dal_sdf_graph *graph, const struct dal_spec_channel *channel,
                        const size_t *numbers)
{
    size_t number = graph->channel_count++;
    graph->channels[number] = (struct dal_sdf_channel){
        .producer = numbers[channel->producer->number],
        .consumer = numbers[channel->consumer->number],
        .rate_in = channel->rate_in,
        .rate_out = channel->rate_out,
        .initial_tokens = channel->initial_tokens,
        .least = dal_spec_least_capacity(channel),
        .step = dal_gcd(channel->rate_in, channel->rate_out),
        .given = dal_spec_given(channel, channel->capacity),
        .number = number,
        .origin = channel->number,
        .first_of_port = number,
        .next_of_port = DAL_SDF_NONE,
        .unsaid = (channel->unsaid_in ? DAL_SDF_UNSAID_IN : 0U) |
                  (channel->unsaid_out ? DAL_SDF_UNSAID_OUT : 0U),
        .begun_tokens = channel->begun_tokens,
        .name = channel->name,
        .place = channel->place,
    };
}

/* Adds the ends of one port; `numbers` are those of channels in the graph. */
static void add_ends(struct dal_sdf_graph *graph, struct dal_sdf_process *process,
                     const struct dal_spec_port *port, const size_t *numbers)
{
    const struct dal_spec_channel *c;
    size_t first = DAL_SDF_NONE, last = DAL_SDF_NONE;
    for (c = port->channel; c; c = dal_port_next(port, c)) {
        size_t number = numbers[c->number];
        if (!dal_spec_is_static(c))
            continue;
        graph->ends[process->first + process->count++] =
            (struct dal_sdf_end){.channel = number,
                                 .rate = port->output ? c->rate_in : c->rate_out,
                                 .output = port->output};
        if (!port->output)
            continue;
        first = first == DAL_SDF_NONE ? number : first;
        graph->channels[number].first_of_port = first;
        if (last != DAL_SDF_NONE)
            graph->channels[last].next_of_port = number;
        last = number;
    }
}

static void fill_graph(struct dal_sdf_graph *graph, const struct dal_spec_network *network,
                       const uint64_t *times, size_t *processes, size_t *channels)
{
    size_t ends = 0;
    graph->place = network->place;
    for (size_t i = 0; i < network->process_count; i++) {
        const struct dal_spec_process *p = &network->processes[i];
        if (p->kpn)
            continue;
        processes[i] = graph->process_count;
        graph->processes[graph->process_count++] =
            (struct dal_sdf_process){.time = times ? times[i] : 0,
                                     .repetitions = p->repetitions,
                                     .number = processes[i],
                                     .origin = i,
                                     .name = p->name,
                                     .place = p->place};
    }
    for (size_t i = 0; i < network->channel_count; i++) {
        channels[i] = graph->channel_count;
        if (dal_spec_is_static(&network->channels[i]))
            add_channel(graph, &network->channels[i], processes);
    }
    for (size_t i = 0; i < graph->process_count; i++) {
        const struct dal_spec_process *p = &network->processes[graph->processes[i].origin];
        graph->processes[i].first = ends;
        for (size_t k = 0; k < p->port_count; k++)
            add_ends(graph, &graph->processes[i], &p->ports[k], channels);
        ends += graph->processes[i].count;
    }
}

static int init_by_cycles(struct dal_sdf_graph *graph, const struct dal_spec_network *network,
                          const uint64_t *times)
{
    size_t *processes = dal_calloc(network->process_count + 1, sizeof(*processes));
    size_t *channels = dal_calloc(network->channel_count + 1, sizeof(*channels));
    int status = DAL_ERR_NOMEM;
    *graph = (struct dal_sdf_graph){0};
    if (processes && channels)
        status = dal_sdf_graph_init(graph, network->process_count, network->channel_count);
    if (!status)
        fill_graph(graph, network, times, processes, channels);
    dal_free_all(processes, channels);
    return status;
}

/* Phases */

static struct dal_sdf_phases phases_of_port(const struct dal_spec_port *port)
{
    return (struct dal_sdf_phases){.of = port->phases.of, .count = port->phases.count};
}

static const struct dal_spec_phases *find_times(const struct dal_spec *spec,
                                                const struct dal_spec_process *process);

static uint64_t sum_times(const struct dal_spec_phases *times)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < times->count; i++)
        sum += times->of[i];
    return sum;
}

/* Sets the times of the phases, if there are any; else spreads those of a cycle over them. Returns
 * how many of `room` were taken. */
static size_t set_times(struct dal_sdf_process *p, const struct dal_spec_phases *times,
                        uint64_t *room)
{
    uint64_t cycle = p->time, spare = cycle % p->phases;
    size_t count = times->count;
    p->time = cycle / p->phases;
    if (count && sum_times(times) * (p->phases / count) == cycle) {
        p->times = (struct dal_sdf_phases){.of = times->of, .count = count};
        return 0;
    }
    if (spare == 0)
        return 0;
    for (uint64_t i = 0; i < p->phases; i++)
        room[i] = p->time + (i < spare);
    p->times = (struct dal_sdf_phases){.of = room, .count = p->phases};
    return p->phases;
}

/* With `all`, bounds of capacities go by phases as well. Otherwise they go by cycles, since a
 * program has rings for whole cycles. */
static void set_channel_phases(struct dal_sdf_graph *graph, const struct dal_spec_network *network,
                               int all)
{
    for (size_t i = 0; i < graph->channel_count; i++) {
        struct dal_sdf_channel *c = &graph->channels[i];
        const struct dal_spec_channel *channel = &network->channels[c->origin];
        if (dal_sdf_is_cyclic(&graph->processes[c->producer]))
            c->phases_in = phases_of_port(channel->producer_port);
        if (dal_sdf_is_cyclic(&graph->processes[c->consumer]))
            c->phases_out = phases_of_port(channel->consumer_port);
        if (!c->phases_in.count && !c->phases_out.count)
            continue;
        if (all)
            c->least = dal_sdf_least_with_phases(c);
        c->step = dal_sdf_capacity_step(c);
    }
    for (size_t i = 0; i < graph->process_count; i++)
        for (size_t k = 0; k < graph->processes[i].count; k++) {
            struct dal_sdf_end *end = &graph->ends[graph->processes[i].first + k];
            const struct dal_sdf_channel *c = &graph->channels[end->channel];
            end->phases = end->output ? c->phases_in : c->phases_out;
        }
}

/* Makes a graph by cycles one by phases: of all processes, or of those that are fired so. Times are
 * those of the spec, of which there may be none. */
static int add_phases(struct dal_sdf_graph *graph, const struct dal_spec_network *network,
                      const struct dal_spec *spec, int all)
{
    static const struct dal_spec_phases none;
    size_t total = 0, used = 0;
    for (size_t i = 0; i < graph->process_count; i++) {
        struct dal_sdf_process *p = &graph->processes[i];
        if (all || network->processes[p->origin].by_phase)
            p->phases = network->processes[p->origin].phases;
        total += dal_sdf_is_cyclic(p) ? p->phases : 0;
    }
    if (total == 0)
        return DAL_OK;
    graph->times = dal_calloc(total, sizeof(*graph->times));
    if (!graph->times)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < graph->process_count; i++) {
        struct dal_sdf_process *p = &graph->processes[i];
        if (dal_sdf_is_cyclic(p))
            used += set_times(p, spec ? find_times(spec, &network->processes[p->origin]) : &none,
                              graph->times + used);
    }
    set_channel_phases(graph, network, all);
    return DAL_OK;
}

int dal_spec_graph_init(struct dal_sdf_graph *graph, const struct dal_spec_network *network,
                        const uint64_t *times)
{
    int status = init_by_cycles(graph, network, times);
    if (!status && add_phases(graph, network, NULL, 0)) {
        dal_sdf_graph_finish(graph);
        status = DAL_ERR_NOMEM;
    }
    return status;
}

/* Can it run? */

int dal_spec_repetitions(struct dal_diags *diags, struct dal_spec_network *network)
{
    struct dal_sdf_graph graph;
    int status = dal_spec_graph_init(&graph, network, NULL);
    if (status) {
        diags->lost = 1;
        return DAL_ERR_INVALID;
    }
    status = dal_sdf_repetitions(diags, &graph, NULL);
    for (size_t i = 0; !status && i < graph.process_count; i++)
        network->processes[graph.processes[i].origin].repetitions = graph.processes[i].repetitions;
    dal_sdf_graph_finish(&graph);
    return status;
}

/* Notes that a deadlock may be due to firing by cycles. */
static void note_cycles(struct dal_diags *diags, const struct dal_spec_network *network)
{
    for (size_t i = 0; i < network->process_count; i++)
        if (network->processes[i].phases > 1 && !network->processes[i].by_phase) {
            dal_note(
                diags, network->processes[i].place,
                "process '%s' is cyclo-static: it begins a cycle when all tokens and all space "
                "of its %" PRIu64 " firings are there",
                network->processes[i].name, network->processes[i].phases);
            break;
        }
    if (network->phases_open)
        dal_note(
            diags, network->place,
            "the network is too large to find out which processes would have to be fired phase "
            "by phase; firing=\"phase\" says so");
}

/* Notes which processes would help if they were fired phase by phase. Those that are fired so
 * already are left out. */
static void note_phases(struct dal_diags *diags, const struct dal_spec_network *network,
                        const uint64_t *capacity)
{
    int *helps = dal_calloc(network->process_count + 1, sizeof(*helps)), left = 0;
    if (!helps || dal__phases_help(network, capacity, helps))
        diags->lost = 1;
    for (size_t i = 0; helps && i < network->process_count; i++)
        left += helps[i];
    for (size_t i = 0; left && !diags->lost && i < network->process_count; i++)
        if (helps[i])
            dal_note(diags, network->processes[i].place,
                     "with firing=\"phase\" on process '%s', as C on a core,%s",
                     network->processes[i].name, --left ? " and what follows" : " it would not");
    dal_free(helps);
}

int dal_spec_live(struct dal_diags *diags, const struct dal_spec_network *network,
                  const uint64_t *capacity)
{
    uint64_t *picked = dal_calloc(network->channel_count + 1, sizeof(*picked));
    struct dal_sdf_graph graph;
    int status = picked ? dal_spec_graph_init(&graph, network, NULL) : DAL_ERR_NOMEM;
    if (status) {
        diags->lost = 1;
        dal_free(picked);
        return DAL_ERR_INVALID;
    }
    for (size_t i = 0; i < graph.channel_count; i++)
        picked[i] = dal_spec_limit(&network->channels[graph.channels[i].origin],
                                   capacity[graph.channels[i].origin]);
    status = dal_sdf_live(diags, &graph, picked);
    if (status && !diags->lost) {
        note_cycles(diags, network);
        note_phases(diags, network, capacity);
    }
    dal_sdf_graph_finish(&graph);
    dal_free(picked);
    return status;
}

/* Lists the sizes of the network and the mapping, by channel number; 0 without one. NULL without
 * memory. */
static uint64_t *find_sizes(const struct dal_spec *spec)
{
    const struct dal_spec_network *network = &spec->network;
    uint64_t *sizes = dal_calloc(network->channel_count + 1, sizeof(*sizes));
    if (!sizes)
        return NULL;
    for (size_t i = 0; i < network->channel_count; i++)
        sizes[i] = dal_spec_given(&network->channels[i], network->channels[i].capacity);
    for (size_t i = 0; i < spec->mapping.override_count; i++)
        if (spec->mapping.overrides[i].capacity)
            sizes[spec->mapping.overrides[i].channel->number] = dal_spec_given(
                spec->mapping.overrides[i].channel, spec->mapping.overrides[i].capacity);
    return sizes;
}

/* Returns the least capacity with which each channel of a port can be live on its own. */
static uint64_t least_of_port(const struct dal_spec_port *port)
{
    uint64_t least = 0;
    for (const struct dal_spec_channel *c = port->channel; c; c = c->next_of_port)
        if (dal_spec_least_capacity(c) > least)
            least = dal_spec_least_capacity(c);
    return least;
}

void dal_spec_analyse(struct dal_diags *diags, struct dal_spec *spec)
{
    uint64_t *sizes;
    if (dal_spec_repetitions(diags, &spec->network))
        return;
    sizes = find_sizes(spec);
    if (!sizes) {
        diags->lost = 1;
        return;
    }
    for (size_t i = 0; i < spec->network.channel_count; i++) {
        const struct dal_spec_channel *channel = &spec->network.channels[i];
        if (sizes[i] < least_of_port(channel->producer_port)) /* that has been reported */
            sizes[i] = channel->capacity;
        sizes[i] = sizes[i] ? sizes[i] : DAL_SDF_UNLIMITED;
    }
    dal_spec_live(diags, &spec->network, sizes);
    dal_free(sizes);
}

/* Speed */

/* Returns the source that gives the process's time; NULL when the process gives it itself, or
 * nothing does. */
static const struct dal_spec_source *find_timed(const struct dal_spec *spec,
                                                const struct dal_spec_process *process)
{
    const struct dal_spec_mapping *mapping = &spec->mapping;
    const struct dal_spec_source *bound =
        process->number < mapping->binding_count ? mapping->bindings[process->number].source : NULL;
    if (bound && bound->execution_time.is_given)
        return bound;
    for (size_t i = 0; i < process->source_count && !process->execution_time.is_given; i++)
        if (process->sources[i].execution_time.is_given)
            return &process->sources[i];
    return NULL;
}

static const struct dal_spec_execution_time *find_time(const struct dal_spec *spec,
                                                       const struct dal_spec_process *process)
{
    const struct dal_spec_source *source = find_timed(spec, process);
    return source ? &source->execution_time : &process->execution_time;
}

static const struct dal_spec_phases *find_times(const struct dal_spec *spec,
                                                const struct dal_spec_process *process)
{
    const struct dal_spec_source *source = find_timed(spec, process);
    return source ? &source->times : &process->times;
}

uint64_t *dal_spec_times(const struct dal_spec *spec, size_t *missing)
{
    const struct dal_spec_network *network = &spec->network;
    uint64_t *times = dal_calloc(network->process_count + 1, sizeof(*times));
    *missing = 0;
    for (size_t i = 0; times && i < network->process_count; i++) {
        const struct dal_spec_execution_time *time = find_time(spec, &network->processes[i]);
        times[i] = time->is_given ? time->units : network->processes[i].phases;
        if (times[i] == 0 && !time->is_given)
            times[i] = 1;
        *missing += !time->is_given && !network->processes[i].kpn;
    }
    return times;
}

int dal_spec_report(struct dal_diags *diags, const struct dal_spec *spec, const uint64_t *times,
                    const struct dal_sdf_wishes *wishes, struct dal_sdf_report *report)
{
    uint64_t *sizes = find_sizes(spec);
    struct dal_sdf_graph *graph = &report->graph;
    int status;
    *report = (struct dal_sdf_report){0};
    status = sizes ? init_by_cycles(graph, &spec->network, times) : DAL_ERR_NOMEM;
    for (size_t i = 0; i < spec->network.process_count; i++)
        report->by_cycles |= wishes->by_cycles && spec->network.processes[i].phases > 1;
    if (!status)
        status = add_phases(graph, &spec->network, spec, !wishes->by_cycles);
    for (size_t i = 0; i < graph->channel_count; i++)
        graph->channels[i].given = sizes[graph->channels[i].origin];
    dal_free(sizes);
    return status ? status : dal_sdf_report_make(diags, wishes, report);
}
