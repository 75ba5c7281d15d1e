/* All capacities worth having, from the fewest that are live to the fewest that are fastest. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/sdf/search.h"
#include "spec/sdf/sizing.h"

#include <string.h>

struct pareto {
    const struct dal_sdf_sizing *sizing;
    struct dal__evaluator evaluator;
    struct dal_sdf_front *front;
    struct dal_sdf_period best, target;
    unsigned char *tight;
};

/* The same cost as the last point: it is replaced. */
static struct dal_sdf_buffers *find_point(struct dal_sdf_front *front, uint64_t total)
{
    if (front->count > 0 && front->points[front->count - 1].total == total)
        return &front->points[front->count - 1];
    if (dal_grow(&front->points, front->count, &front->room, sizeof(*front->points)))
        return NULL;
    front->points[front->count] = (struct dal_sdf_buffers){.total = total, .least = total};
    return &front->points[front->count++];
}

static int add_point(struct pareto *pareto, const uint64_t *capacity, uint64_t total)
{
    size_t count = pareto->sizing->graph->channel_count;
    struct dal_sdf_buffers *point = find_point(pareto->front, total);
    if (point && !point->capacity)
        point->capacity = dal_calloc(count + 1, sizeof(*capacity));
    if (!point || !point->capacity)
        return DAL_ERR_NOMEM;
    memcpy(point->capacity, capacity, count * sizeof(*capacity));
    point->found = 1;
    point->period = pareto->best;
    return DAL_OK;
}

static int look(void *context, const uint64_t *vector, uint64_t total, struct dal__branch *branches,
                size_t *count)
{
    struct pareto *pareto = context;
    const struct dal_sdf_graph *graph = pareto->sizing->graph;
    struct dal_sdf_period period;
    int status = dal__evaluate(&pareto->evaluator, vector, pareto->sizing->budget, NULL, &period,
                               pareto->tight);
    if (status || period.verdict == DAL_SDF_UNKNOWN)
        return status;
    if (dal_sdf_compare(period, pareto->best) < 0) {
        pareto->best = period;
        status = add_point(pareto, vector, total);
        if (!status && dal_sdf_compare(period, pareto->target) <= 0)
            return 1;
    }
    for (size_t i = 0; i < graph->channel_count && !status; i++)
        if (pareto->tight[i] && dal__is_free(pareto->sizing, i))
            branches[(*count)++] = (struct dal__branch){.at = i, .more = graph->channels[i].step};
    return status;
}

static int find(struct pareto *pareto, const uint64_t *start)
{
    const struct dal_sdf_sizing *sizing = pareto->sizing;
    struct dal__search search = {
        .size = sizing->graph->channel_count,
        .weight = sizing->weight,
        .limit = UINT64_MAX,
        .budget = sizing->budget,
        .context = pareto,
        .look = look,
    };
    int status = dal__evaluator_init(&pareto->evaluator, sizing->graph, start);
    if (!status)
        status = dal__search_run(&search, start, dal_sdf_cost(sizing, start));
    dal__evaluator_finish(&pareto->evaluator);
    pareto->front->complete = status >= 0 && search.complete;
    pareto->front->reached = search.reached;
    return status < 0 ? status : DAL_OK;
}

int dal_sdf_pareto(const struct dal_sdf_sizing *sizing, const struct dal_sdf_buffers *least,
                   struct dal_sdf_period target, struct dal_sdf_front *front)
{
    struct pareto pareto = {
        .sizing = sizing,
        .front = front,
        .best = {.verdict = DAL_SDF_DEADLOCK},
        .target = target,
        .tight = dal_calloc(sizing->graph->channel_count + 1, 1),
    };
    uint64_t *start = dal__least_capacities(sizing);
    int status = pareto.tight && start ? DAL_OK : DAL_ERR_NOMEM;
    *front = (struct dal_sdf_front){.reached = least->least};
    if (!status && least->found)
        status = find(&pareto, start);
    dal_free(pareto.tight);
    dal_free(start);
    return status;
}

void dal_sdf_front_finish(struct dal_sdf_front *front)
{
    for (size_t i = 0; i < front->count; i++)
        dal_sdf_buffers_finish(&front->points[i]);
    dal_free(front->points);
    *front = (struct dal_sdf_front){0};
}
