/* Capacities for liveness: every channel's lower bound, repaired. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/sdf/repair.h"
#include "spec/sdf/sizing.h"

#include <string.h>

static int find(const struct dal_sdf_sizing *sizing, struct dal__repair *repair,
                unsigned char *allowed, uint64_t *weight, struct dal_sdf_buffers *result)
{
    size_t channels = sizing->graph->channel_count;
    uint64_t bound = dal_sdf_cost(sizing, result->capacity);
    int status;
    for (size_t i = 0; i < channels; i++) {
        allowed[i] = (unsigned char)dal__is_free(sizing, i);
        weight[i] = sizing->weight[i];
    }
    status = dal__repair(repair);
    if (status)
        return status;
    for (size_t i = 0; i < channels; i++)
        if (allowed[i])
            result->capacity[i] += repair->more[i];
    result->found = repair->found;
    result->least = bound + repair->least;
    result->total = dal_sdf_cost(sizing, result->capacity);
    return DAL_OK;
}

int dal_sdf_minimum(const struct dal_sdf_sizing *sizing, struct dal_sdf_buffers *result)
{
    size_t entries = 2 * sizing->graph->channel_count + 1;
    unsigned char *allowed = dal_calloc(entries, 1);
    uint64_t *weight = dal_calloc(entries, sizeof(*weight));
    uint64_t *more = dal_calloc(entries, sizeof(*more));
    int status = DAL_ERR_NOMEM;
    *result = (struct dal_sdf_buffers){.capacity = dal__least_capacities(sizing)};
    if (result->capacity && allowed && weight && more) {
        struct dal__repair repair = {
            .graph = sizing->graph,
            .capacity = result->capacity,
            .allowed = allowed,
            .weight = weight,
            .budget = sizing->budget,
            .more = more,
        };
        status = find(sizing, &repair, allowed, weight, result);
    }
    dal_free(allowed);
    dal_free(weight);
    dal_free(more);
    return status;
}
