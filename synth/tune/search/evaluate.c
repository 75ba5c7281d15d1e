/* Evaluates one mapping: plans it as dalsynth does, but reads no sources. */
#include "synth/tune/search/space.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/check/nodes.h"
#include "synth/tune/predict/predict.h"
#include "synth/tune/predict/promise.h"

#include <math.h>

static uint64_t count_bytes(const struct dal_plan *plan)
{
    uint64_t sum = 0, bytes;
    for (size_t i = 0; i < plan->channel_count; i++) {
        const struct dal_spec_channel *c = plan->channels[i].channel;
        if (c->producer_port->channel == c &&
            (__builtin_mul_overflow(plan->channels[i].capacity, c->token_bytes, &bytes) ||
             __builtin_add_overflow(sum, bytes, &sum)))
            return UINT64_MAX;
    }
    return sum;
}

/* Returns INFINITY if no iteration has ended on a way. */
static double longest_way(const struct dal_prediction *prediction)
{
    double most = 0;
    for (size_t i = 0; i < prediction->path_count; i++)
        most =
            prediction->paths[i].most_ns < 0 ? INFINITY : fmax(most, prediction->paths[i].most_ns);
    return most;
}

void dal_search_judge(const struct dal_plan *plan, const struct dal_prediction *prediction,
                      struct dal_search_value *value)
{
    double part = dal_promise_part(prediction);
    value->period_ns = prediction->unknown ? INFINITY : prediction->period_ns;
    value->latency_ns = isinf(value->period_ns) ? INFINITY : longest_way(prediction);
    value->late = part > 1 ? part : 0;
    value->bytes = count_bytes(plan);
    value->processors = plan->processor_count;
}

static int predict_plan(const struct dal_plan *plan, struct dal_search_value *value)
{
    struct dal_prediction prediction;
    int status = dal_predict(plan, 1, &prediction);
    if (!status)
        dal_search_judge(plan, &prediction, value);
    dal_prediction_finish(&prediction);
    return status;
}

/* Makes a plan with its capacities, which the caller destroys. NULL with the reason in *status. */
static struct dal_plan *make_plan(struct dal_diags *diags, const struct dal_search_space *space,
                                  const struct dal_spec *spec, uint64_t most_firings, int *status)
{
    const struct dal_evaluation evaluation = {.spec = spec,
                                              .apart = space->apart,
                                              .tries_registers = 1,
                                              .memory = space->memory,
                                              .most_firings = most_firings,
                                              .keeps_promises = 1};
    struct dal_plan *plan;
    *status = dal_evaluation_plan(diags, &evaluation, &plan);
    return plan;
}

/* Makes a spec with the plan's capacities as sizes. Returns DAL_OK or DAL_ERR_NOMEM. */
static int give_sizes(const struct dal_plan *plan, struct dal_spec *sized)
{
    uint64_t *capacities = dal_calloc(plan->channel_count + 1, sizeof(*capacities));
    int status = DAL_ERR_NOMEM;
    *sized = *plan->spec;
    sized->mapping.overrides = NULL;
    for (size_t i = 0; capacities && i < plan->channel_count; i++)
        capacities[i] = dal_plan_is_open(&plan->channels[i]) ? plan->channels[i].capacity : 0;
    if (capacities) {
        sized->mapping.overrides = plan->spec->mapping.overrides;
        status = dal_spec_give_sizes(sized, capacities);
    }
    dal_free(capacities);
    return status;
}

/* Predicts the plan that dalsynth makes when this plan's capacities are the mapping's sizes. */
static int predict_sized(struct dal_diags *diags, const struct dal_search_space *space,
                         const struct dal_plan *plan, struct dal_search_value *value)
{
    struct dal_spec sized;
    struct dal_plan *own;
    int status = give_sizes(plan, &sized);
    if (status)
        return status;
    own = make_plan(diags, space, &sized, 0, &status);
    if (own)
        status = predict_plan(own, value);
    dal_plan_destroy(own);
    dal_free(sized.mapping.overrides);
    return status;
}

static int plan_and_predict(struct dal_diags *diags, const struct dal_search_space *space,
                            struct dal_search_value *value)
{
    int status;
    struct dal_plan *plan = make_plan(diags, space, space->spec, space->most_firings, &status);
    if (plan)
        status =
            space->is_sized ? predict_sized(diags, space, plan, value) : predict_plan(plan, value);
    dal_plan_destroy(plan);
    return status;
}

static int has_nodes(const struct dal_search_space *space)
{
    for (size_t i = 0; i < space->place_count; i++)
        if (space->places[i].processor->node)
            return 1;
    return 0;
}

/* Makes the spec's mapping this one, with its nodes. DAL_OK, or an error that is in diags. */
static int bind(struct dal_diags *diags, const struct dal_search_space *space,
                const uint16_t *places)
{
    struct dal_spec_mapping *mapping = &space->spec->mapping;
    dal_search_bind(space, places);
    return has_nodes(space) ? dal_spec_share_nodes(diags, &mapping, 1) : DAL_OK;
}

int dal_search_give_sizes(struct dal_diags *diags, const struct dal_search_space *space,
                          const uint16_t *places, struct dal_spec *sized)
{
    struct dal_plan *plan = NULL;
    int status = bind(diags, space, places);
    sized->mapping.overrides = NULL;
    if (!status)
        plan = make_plan(diags, space, space->spec, space->most_firings, &status);
    if (plan)
        status = give_sizes(plan, sized);
    dal_plan_destroy(plan);
    return status;
}

int dal_search_evaluate(struct dal_diags *diags, const struct dal_search_space *space,
                        const uint16_t *places, struct dal_search_value *value)
{
    struct dal_diags own;
    int status, is_lost;
    *value = (struct dal_search_value){.period_ns = INFINITY,
                                       .latency_ns = INFINITY,
                                       .bytes = UINT64_MAX,
                                       .most_firings = space->most_firings};
    dal_diags_init(&own);
    status = bind(diags ? diags : &own, space, places);
    if (!status)
        status = plan_and_predict(diags ? diags : &own, space, value);
    is_lost = own.lost || (diags && diags->lost);
    dal_diags_finish(&own);
    return is_lost || status == DAL_ERR_NOMEM ? DAL_ERR_NOMEM : DAL_OK;
}
