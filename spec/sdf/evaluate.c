#include "spec/sdf/evaluate.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

void dal__evaluator_finish(struct dal__evaluator *evaluator)
{
    for (size_t i = 0; evaluator->engines && i < evaluator->parts.count; i++)
        dal_sdf_engine_destroy(evaluator->engines[i]);
    dal_free_all(evaluator->engines, evaluator->capacity);
    dal_sdf_parts_finish(&evaluator->parts);
    *evaluator = (struct dal__evaluator){0};
}

int dal__evaluator_init(struct dal__evaluator *evaluator, const struct dal_sdf_graph *graph,
                        const uint64_t *capacity)
{
    *evaluator = (struct dal__evaluator){.graph = graph};
    if (dal_sdf_parts_init(&evaluator->parts, graph, capacity, DAL_SDF_NONE))
        return DAL_ERR_NOMEM;
    evaluator->engines = dal_calloc(evaluator->parts.count + 1, sizeof(*evaluator->engines));
    evaluator->capacity = dal_calloc(graph->channel_count + 1, sizeof(*capacity));
    for (size_t i = 0; evaluator->engines && i < evaluator->parts.count; i++) {
        evaluator->engines[i] = dal_sdf_engine_create(&evaluator->parts.list[i]);
        if (!evaluator->engines[i])
            return DAL_ERR_NOMEM;
    }
    return evaluator->engines && evaluator->capacity ? DAL_OK : DAL_ERR_NOMEM;
}

/* Marks the first channel of each port that has a tight one. */
static int find_tight(struct dal__evaluator *evaluator, size_t slowest, unsigned char *tight)
{
    const struct dal_sdf_graph *graph = evaluator->graph;
    int status = DAL_OK;
    memset(tight, 0, graph->channel_count);
    if (evaluator->parts.count)
        status = dal_sdf_engine_tight(evaluator->engines[slowest], tight);
    for (size_t i = 0; i < graph->channel_count; i++)
        tight[graph->channels[i].first_of_port] |= tight[i];
    return status;
}

int dal__evaluate(struct dal__evaluator *evaluator, const uint64_t *capacity,
                  struct dal_sdf_budget *budget, const struct dal_sdf_period *target,
                  struct dal_sdf_period *period, unsigned char *tight)
{
    const struct dal_sdf_graph *graph = evaluator->graph;
    size_t slowest = 0;
    int status = DAL_OK;
    *period = (struct dal_sdf_period){.verdict = DAL_SDF_UNBOUNDED};
    memcpy(evaluator->capacity, capacity, graph->channel_count * sizeof(*capacity));
    dal_sdf_share(graph, evaluator->capacity);
    for (size_t i = 0; i < evaluator->parts.count && !status; i++) {
        struct dal_sdf_period one;
        status = dal_sdf_engine_period(evaluator->engines[i], evaluator->capacity, budget, &one);
        if (status || dal_sdf_compare(one, *period) <= 0)
            continue;
        *period = one;
        slowest = i;
        if (one.verdict == DAL_SDF_UNKNOWN || (target && dal_sdf_compare(one, *target) > 0))
            break;
    }
    return status ? status : find_tight(evaluator, slowest, tight);
}
