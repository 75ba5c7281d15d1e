/* One mapping: planned as dalsynth does it, but for the sources, which are not read. */
#include "synth/search/space.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/predict/predict.h"
#include "synth/predict/promise.h"

#include <math.h>
#include <string.h>

static int keep_apart(const struct dal_search_space *space, struct dal_plan *plan)
{
    size_t i;

    for (i = 0; i < plan->process_count; i++)
        if (space->apart[i] && plan->processes[i].device &&
            dal_plan_stay_apart(&plan->processes[i], dal_strdup("its source")))
            return DAL_ERR_NOMEM;
    return DAL_OK;
}

static int plan_all(struct dal_diags *diags, const struct dal_search_space *space,
                    struct dal_plan *plan)
{
    int error = dal_plan_place(diags, plan);

    if (!error)
        error = dal_promise_choose(plan, DAL_PROMISE_FEW);
    if (space->by_latency)
        plan->most_firings = 1;
    if (!error)
        error = dal_plan_arrange(diags, plan);
    return error ? error : dal_plan_capacities(diags, plan);
}

static uint64_t count_bytes(const struct dal_plan *plan)
{
    uint64_t sum = 0, bytes;
    size_t i;

    for (i = 0; i < plan->channel_count; i++) {
        const struct dal_spec_channel *c = plan->channels[i].channel;
        if (c->producer_port->channel == c &&
            (__builtin_mul_overflow(plan->channels[i].capacity, c->token_bytes, &bytes) ||
             __builtin_add_overflow(sum, bytes, &sum)))
            return UINT64_MAX;
    }
    return sum;
}

/* INFINITY where no iteration has ended on one. */
static double longest_way(const struct dal_prediction *prediction)
{
    double most = 0;
    size_t i;

    for (i = 0; i < prediction->path_count; i++)
        most =
            prediction->paths[i].most_ns < 0 ? INFINITY : fmax(most, prediction->paths[i].most_ns);
    return most;
}

static int predict_plan(const struct dal_search_space *space, const struct dal_plan *plan,
                        struct dal_search_value *value)
{
    struct dal_prediction prediction;
    int error = dal_predict_briefly(plan, &prediction);

    if (!error) {
        double part = dal_promise_part(&prediction);
        value->period_ns = prediction.unknown ? INFINITY : prediction.period_ns;
        value->goal_ns = value->period_ns;
        if (space->by_latency && !isinf(value->period_ns))
            value->goal_ns = longest_way(&prediction);
        if (part > 1)
            value->goal_ns = DAL_SEARCH_LATE_NS * part;
        value->bytes = count_bytes(plan);
        value->processors = plan->processor_count;
    }
    dal_prediction_finish(&prediction);
    return error;
}

/* A plan with its capacities, to be destroyed; NULL where there is none, or without memory. */
static struct dal_plan *make_plan(struct dal_diags *diags, const struct dal_search_space *space,
                                  int *error)
{
    struct dal_plan *plan = dal_plan_create(space->spec);

    *error = DAL_ERR_NOMEM;
    if (!plan)
        return NULL;
    plan->memory = space->memory;
    *error = keep_apart(space, plan);
    if (!*error)
        *error = plan_all(diags, space, plan);
    if (!*error)
        return plan;
    dal_plan_destroy(plan);
    return NULL;
}

static int plan_and_predict(struct dal_diags *diags, const struct dal_search_space *space,
                            struct dal_search_value *value)
{
    int error;
    struct dal_plan *plan = make_plan(diags, space, &error);

    if (plan)
        error = predict_plan(space, plan, value);
    dal_plan_destroy(plan);
    return error;
}

int dal_search_capacities(struct dal_diags *diags, const struct dal_search_space *space,
                          const uint16_t *places, uint64_t *capacities)
{
    struct dal_plan *plan;
    int error;
    size_t i;

    dal_search_bind(space, places);
    plan = make_plan(diags, space, &error);
    for (i = 0; plan && i < plan->channel_count; i++)
        capacities[i] = dal_plan_is_open(&plan->channels[i]) ? plan->channels[i].capacity : 0;
    dal_plan_destroy(plan);
    return error;
}

static int has_nodes(const struct dal_search_space *space)
{
    size_t i;

    for (i = 0; i < space->place_count; i++)
        if (space->places[i].processor->node)
            return 1;
    return 0;
}

int dal_search_evaluate(struct dal_diags *diags, const struct dal_search_space *space,
                        const uint16_t *places, struct dal_search_value *value)
{
    struct dal_spec_mapping *mapping = &space->spec->mapping;
    struct dal_diags own;
    int error = DAL_OK, is_lost;

    *value =
        (struct dal_search_value){.period_ns = INFINITY, .goal_ns = INFINITY, .bytes = UINT64_MAX};
    dal_diags_init(&own);
    dal_search_bind(space, places);
    if (has_nodes(space))
        error = dal_spec_share_nodes(diags ? diags : &own, &mapping, 1);
    if (!error)
        error = plan_and_predict(diags ? diags : &own, space, value);
    is_lost = own.lost || (diags && diags->lost);
    dal_diags_finish(&own);
    return is_lost || error == DAL_ERR_NOMEM ? DAL_ERR_NOMEM : DAL_OK;
}
