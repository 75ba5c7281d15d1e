/* Capacities for the least period, from the processes' execution times. */
#include "synth/plan/plan.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "spec/graph.h"

#include <inttypes.h>

/* Seconds that the search may take when nothing is said. */
#define USUAL_SECONDS 2.0

/* By process; NULL when one that is not a KPN process has none, or without memory. */
static uint64_t *find_times(const struct dal_plan *plan, int *lost)
{
    size_t i, count = plan->spec->network.process_count;
    uint64_t *times;

    *lost = 0;
    for (i = 0; i < count; i++)
        if (!plan->processes[i].process->kpn && !dal_plan_time(&plan->processes[i])->is_given)
            return NULL;
    times = dal_calloc(count + 1, sizeof(*times));
    *lost = !times;
    for (i = 0; times && i < count; i++)
        times[i] = dal_plan_time(&plan->processes[i])->units;
    return times;
}

static int has_open_channel(const struct dal_plan *plan)
{
    size_t i;

    for (i = 0; i < plan->channel_count; i++)
        if (dal_plan_is_open(&plan->channels[i]))
            return 1;
    return 0;
}

static void take_capacities(struct dal_plan *plan, const struct dal_sdf_graph *graph,
                            const struct dal_sdf_buffers *buffers)
{
    size_t i;

    for (i = 0; i < graph->channel_count; i++) {
        struct dal_plan_channel *ch = &plan->channels[graph->channels[i].origin];
        if (dal_plan_is_open(ch) && !dal_sdf_is_loop(&graph->channels[i]))
            ch->fastest = buffers->capacity[i];
    }
}

static int search_capacities(struct dal_diags *diags, struct dal_plan *plan,
                             const struct dal_sdf_sizing *sizing)
{
    struct dal_sdf_buffers buffers;
    int error = dal_sdf_fastest(sizing, &buffers);

    if (!error && buffers.found)
        take_capacities(plan, sizing->graph, &buffers);
    if (!error && buffers.found && buffers.least < buffers.total)
        dal_warning(diags, plan->spec->network.place, "analysis-limit",
                    "the capacities computed for channels without a size need %" PRIu64
                    " bytes; it is not proven that fewer than this, but at least %" PRIu64
                    ", would be as fast",
                    buffers.total, buffers.least);
    dal_sdf_buffers_finish(&buffers);
    return error;
}

/* A process fires as often at once as it has shadow copies. */
static int prepare_search(struct dal_diags *diags, struct dal_plan *plan,
                          struct dal_sdf_graph *graph, uint64_t *fixed, uint64_t *weight)
{
    double seconds = plan->seconds > 0 ? plan->seconds : USUAL_SECONDS;
    struct dal_sdf_budget budget = {.deadline_ns = dal_now_ns() + (int64_t)(seconds * 1e9),
                                    .work = UINT64_MAX};
    struct dal_sdf_sizing sizing = {
        .graph = graph, .fixed = fixed, .weight = weight, .budget = &budget};
    size_t i;

    for (i = 0; i < graph->process_count; i++)
        graph->processes[i].at_once = plan->processes[graph->processes[i].origin].shadow_copies;
    for (i = 0; i < graph->channel_count; i++) {
        const struct dal_plan_channel *ch = &plan->channels[graph->channels[i].origin];
        fixed[i] = ch->size && ch->size->capacity ? ch->size->capacity : ch->channel->capacity;
        weight[i] = ch->channel->token_bytes;
    }
    return search_capacities(diags, plan, &sizing);
}

static int find_fastest(struct dal_diags *diags, struct dal_plan *plan, struct dal_sdf_graph *graph)
{
    uint64_t *fixed = dal_calloc(plan->channel_count + 1, sizeof(*fixed));
    uint64_t *weight = dal_calloc(plan->channel_count + 1, sizeof(*weight));
    int error = DAL_ERR_NOMEM;

    if (fixed && weight)
        error = prepare_search(diags, plan, graph, fixed, weight);
    dal_free(fixed);
    dal_free(weight);
    return error;
}

int dal_plan_fastest(struct dal_diags *diags, struct dal_plan *plan)
{
    struct dal_sdf_graph graph = {0};
    uint64_t *times;
    int error, lost;

    if (!has_open_channel(plan))
        return DAL_OK;
    times = find_times(plan, &lost);
    if (!times)
        return lost ? DAL_ERR_NOMEM : DAL_OK;
    error = dal_spec_graph_init(&graph, &plan->spec->network, times);
    if (!error && graph.process_count > 0)
        error = find_fastest(diags, plan, &graph);
    dal_sdf_graph_finish(&graph);
    dal_free(times);
    return error;
}
