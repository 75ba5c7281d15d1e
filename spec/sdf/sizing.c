#include "spec/sdf/sizing.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

int dal__is_free(const struct dal_sdf_sizing *sizing, size_t channel)
{
    return sizing->fixed[channel] == 0 && !dal_sdf_is_loop(&sizing->graph->channels[channel]);
}

uint64_t *dal__least_capacities(const struct dal_sdf_sizing *sizing)
{
    const struct dal_sdf_graph *graph = sizing->graph;
    uint64_t *capacity = dal_calloc(graph->channel_count + 1, sizeof(*capacity));
    for (size_t i = 0; capacity && i < graph->channel_count; i++)
        if (dal__is_free(sizing, i))
            capacity[i] = graph->channels[i].least;
        else
            capacity[i] = sizing->fixed[i] ? sizing->fixed[i] : DAL_SDF_UNLIMITED;
    return capacity;
}

uint64_t dal_sdf_cost(const struct dal_sdf_sizing *sizing, const uint64_t *capacity)
{
    uint64_t total = 0, cost;
    for (size_t i = 0; i < sizing->graph->channel_count; i++)
        if (dal__is_free(sizing, i) &&
            (__builtin_mul_overflow(capacity[i], sizing->weight[i], &cost) ||
             __builtin_add_overflow(total, cost, &total)))
            return UINT64_MAX;
    return total;
}

void dal_sdf_buffers_finish(struct dal_sdf_buffers *buffers)
{
    dal_free(buffers->capacity);
    *buffers = (struct dal_sdf_buffers){0};
}

void dal__evaluator_finish(struct dal__evaluator *evaluator)
{
    for (size_t i = 0; evaluator->engines && i < evaluator->parts.count; i++)
        dal_sdf_engine_destroy(evaluator->engines[i]);
    dal_free(evaluator->engines);
    dal_sdf_parts_finish(&evaluator->parts);
    *evaluator = (struct dal__evaluator){0};
}

int dal__evaluator_init(struct dal__evaluator *evaluator, const struct dal_sdf_graph *graph,
                        const uint64_t *capacity)
{
    *evaluator = (struct dal__evaluator){.channel_count = graph->channel_count};
    if (dal_sdf_parts_init(&evaluator->parts, graph, capacity, DAL_SDF_ALL))
        return DAL_ERR_NOMEM;
    evaluator->engines = dal_calloc(evaluator->parts.count + 1, sizeof(*evaluator->engines));
    for (size_t i = 0; evaluator->engines && i < evaluator->parts.count; i++) {
        evaluator->engines[i] = dal_sdf_engine_create(&evaluator->parts.list[i]);
        if (!evaluator->engines[i])
            goto fail;
    }
    if (evaluator->engines)
        return DAL_OK;
fail:
    dal__evaluator_finish(evaluator);
    return DAL_ERR_NOMEM;
}

int dal__evaluate(struct dal__evaluator *evaluator, const uint64_t *capacity,
                  struct dal_sdf_budget *budget, const struct dal_sdf_period *target,
                  struct dal_sdf_period *period, unsigned char *tight)
{
    size_t slowest = 0;
    int status = DAL_OK;
    *period = (struct dal_sdf_period){.verdict = DAL_SDF_UNBOUNDED};
    for (size_t i = 0; i < evaluator->parts.count && !status; i++) {
        struct dal_sdf_period one;
        status = dal_sdf_engine_period(evaluator->engines[i], capacity, budget, &one);
        if (status || dal_sdf_compare(one, *period) <= 0)
            continue;
        *period = one;
        slowest = i;
        if (one.verdict == DAL_SDF_UNKNOWN || (target && dal_sdf_compare(one, *target) > 0))
            break;
    }
    if (status || !tight)
        return status;
    memset(tight, 0, evaluator->channel_count);
    return evaluator->parts.count ? dal_sdf_engine_tight(evaluator->engines[slowest], tight)
                                  : DAL_OK;
}
