#include "spec/sdf/deadlock.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/sdf/repair.h"

#include <string.h>

/* Channel ends looked at before an execution is given up: a second or two. */
#define MAX_WORK ((uint64_t)1 << 29)

void dal_sdf_deadlock_finish(struct dal_sdf_deadlock *deadlock)
{
    dal_free(deadlock->blocked);
    dal_free(deadlock->cycle);
    dal_free(deadlock->more_capacity);
    dal_free(deadlock->more_tokens);
    *deadlock = (struct dal_sdf_deadlock){0};
}

static int allocate(struct dal_sdf_deadlock *deadlock, const struct dal_sdf_graph *graph)
{
    size_t processes = graph->process_count + 1, channels = graph->channel_count + 1;
    deadlock->blocked = dal_calloc(processes, sizeof(*deadlock->blocked));
    deadlock->cycle = dal_calloc(processes, sizeof(*deadlock->cycle));
    deadlock->more_capacity = dal_calloc(channels, sizeof(*deadlock->more_capacity));
    deadlock->more_tokens = dal_calloc(channels, sizeof(*deadlock->more_tokens));
    return deadlock->blocked && deadlock->cycle && deadlock->more_capacity && deadlock->more_tokens
               ? DAL_OK
               : DAL_ERR_NOMEM;
}

static int take_witness(struct dal_sdf_deadlock *deadlock, struct dal__exec *exec)
{
    deadlock->dead = 1;
    if (allocate(deadlock, exec->graph))
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < exec->graph->process_count; i++)
        if (exec->left[i] > 0)
            deadlock->blocked[deadlock->blocked_count++] = i;
    deadlock->cycle_count = dal__exec_cycle(exec, deadlock->cycle);
    return DAL_OK;
}

/* What may be added: capacity first, then, if that is no help, also tokens. */
static int try_fix(struct dal_sdf_deadlock *deadlock, struct dal__repair *repair,
                   unsigned char *allowed, int tokens)
{
    size_t channels = repair->graph->channel_count;
    int status;
    for (size_t i = 0; i < channels; i++) {
        allowed[i] = repair->capacity[i] != DAL_SDF_UNLIMITED;
        allowed[channels + i] = (unsigned char)tokens;
    }
    memset(repair->more, 0, 2 * channels * sizeof(*repair->more));
    status = dal__repair(repair);
    if (status || !repair->found)
        return status;
    memcpy(deadlock->more_capacity, repair->more, channels * sizeof(*repair->more));
    memcpy(deadlock->more_tokens, repair->more + channels, channels * sizeof(*repair->more));
    deadlock->has_fix = 1;
    deadlock->is_smallest = repair->least == repair->total;
    return DAL_OK;
}

static int find_fix(struct dal_sdf_deadlock *deadlock, const struct dal_sdf_graph *graph,
                    const uint64_t *capacity, struct dal_sdf_budget *budget)
{
    size_t entries = 2 * graph->channel_count + 1;
    unsigned char *allowed = dal_calloc(entries, 1);
    uint64_t *weight = dal_calloc(entries, sizeof(*weight));
    uint64_t *more = dal_calloc(entries, sizeof(*more));
    int status = DAL_ERR_NOMEM;
    if (allowed && weight && more) {
        struct dal__repair repair = {.graph = graph,
                                     .capacity = capacity,
                                     .allowed = allowed,
                                     .weight = weight,
                                     .budget = budget,
                                     .more = more};
        for (size_t i = 0; i < entries; i++)
            weight[i] = 1;
        status = try_fix(deadlock, &repair, allowed, 0);
        if (!status && !deadlock->has_fix)
            status = try_fix(deadlock, &repair, allowed, 1);
    }
    dal_free(allowed);
    dal_free(weight);
    dal_free(more);
    return status;
}

int dal_sdf_deadlock_find(struct dal_sdf_deadlock *deadlock, const struct dal_sdf_graph *graph,
                          const uint64_t *capacity, struct dal_sdf_budget *budget, int *known)
{
    struct dal_sdf_budget limit = {.work = MAX_WORK, .deadline_ns = budget->deadline_ns};
    struct dal__exec exec;
    int status = dal__exec_init(&exec, graph, &limit);
    *deadlock = (struct dal_sdf_deadlock){0};
    *known = 0;
    if (status)
        return status;
    dal__exec_begin(&exec, capacity, NULL);
    if (dal__exec_run(&exec) > 0 && !limit.expired)
        status = take_witness(deadlock, &exec);
    *known = !limit.expired;
    dal__exec_finish(&exec);
    if (!status && deadlock->dead)
        status = find_fix(deadlock, graph, capacity, budget);
    return status;
}
