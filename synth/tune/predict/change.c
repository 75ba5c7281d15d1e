#include "synth/tune/predict/change.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/plan/mapping.h"
#include "synth/tune/predict/promise.h"

#include <inttypes.h>
#include <string.h>

/* ---- the changed specification --------------------------------------------------------------- */

static void rebind(struct dal_spec_binding *binding, const struct dal_mapping_move *change)
{
    if (binding->capability != change->capability)
        binding->work_items = 0;
    binding->processors = change->processors;
    binding->processor_count = change->processor_count;
    binding->capability = change->capability;
    binding->source = change->source;
    binding->shadow_copies = change->copies;
    if (change->capability == DAL_PROCESSOR_CORE)
        binding->fallback = NULL;
}

static int copy_bindings(struct dal_spec *spec, const struct dal_mapping_move *change)
{
    struct dal_spec_mapping *mapping = &spec->mapping;
    struct dal_spec_binding *copy = dal_calloc(mapping->binding_count + 1, sizeof(*copy));
    if (!copy)
        return DAL_ERR_NOMEM;
    memcpy(copy, mapping->bindings, mapping->binding_count * sizeof(*copy));
    mapping->bindings = copy;
    if (change->kind == DAL_MAPPING_MOVE_BIND)
        rebind(&copy[change->process->number], change);
    if (change->kind == DAL_MAPPING_MOVE_COPIES)
        copy[change->process->number].shadow_copies = change->copies;
    return DAL_OK;
}

/* The last word on a channel counts: the new one stands behind those that are there. */
static int copy_overrides(struct dal_spec *spec, const struct dal_mapping_move *change)
{
    struct dal_spec_mapping *mapping = &spec->mapping;
    struct dal_spec_override *copy = dal_calloc(mapping->override_count + 2, sizeof(*copy));
    size_t at = mapping->override_count;
    if (!copy)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < mapping->override_count; i++) {
        copy[i] = mapping->overrides[i];
        at = copy[i].channel == change->channel ? i + 1 : at;
    }
    mapping->overrides = copy;
    if (change->kind != DAL_MAPPING_MOVE_CAPACITY)
        return DAL_OK;
    memmove(&copy[at + 1], &copy[at], (mapping->override_count++ - at) * sizeof(*copy));
    copy[at] =
        (struct dal_spec_override){.channel = &spec->network.channels[change->channel->number],
                                   .capacity = change->capacity,
                                   .place = change->channel->place};
    return DAL_OK;
}

/* Shares all but what is changed with the plan's. */
static int change_spec(struct dal_spec *spec, const struct dal_mapping_move *change)
{
    int status = copy_bindings(spec, change);
    return status == DAL_OK ? copy_overrides(spec, change) : status;
}

static void finish_changed(struct dal_spec *spec, const struct dal_plan *plan)
{
    if (spec->mapping.bindings != plan->spec->mapping.bindings)
        dal_free(spec->mapping.bindings);
    if (spec->mapping.overrides != plan->spec->mapping.overrides)
        dal_free(spec->mapping.overrides);
}

/* ---- trying it ------------------------------------------------------------------------------- */

static int predict(const struct dal_plan *plan, struct dal_move_value *trial)
{
    struct dal_prediction prediction;
    int status = dal_predict(plan, 0, &prediction);
    if (status == DAL_OK && !prediction.unknown && dal_promise_part(&prediction) <= 1) {
        trial->is_there = 1;
        trial->period_ns = prediction.period_ns;
        trial->settled = prediction.settled;
        trial->limit = prediction.limit;
        prediction.limit = NULL;
    }
    dal_prediction_finish(&prediction);
    return status;
}

static int count_bytes(const struct dal_plan *plan, struct dal_move_value *trial)
{
    struct dal_ledger ledger;
    int status = dal_ledger_make(plan, &ledger);
    trial->all = ledger.all;
    dal_ledger_finish(&ledger);
    return status;
}

/* Without a prediction, capacities do not matter. */
int dal_mapping_move_try(const struct dal_plan *plan, const struct dal_mapping_move *change,
                         int predicts, double seconds, struct dal_move_value *trial)
{
    struct dal_spec spec = *plan->spec;
    const struct dal_evaluation evaluation = {.spec = &spec,
                                              .like = plan,
                                              .seconds = seconds,
                                              .keeps_promises = predicts,
                                              .leaves_capacities = !predicts};
    struct dal_plan *changed = NULL;
    int status;
    *trial = (struct dal_move_value){0};
    status = change_spec(&spec, change);
    if (status == DAL_OK)
        status = dal_evaluation_plan(NULL, &evaluation, &changed);
    if (status == DAL_OK)
        status = count_bytes(changed, trial);
    if (status == DAL_OK && predicts)
        status = predict(changed, trial);
    else if (status == DAL_OK)
        trial->is_there = 1;
    dal_plan_destroy(changed);
    finish_changed(&spec, plan);
    return status == DAL_ERR_NOMEM ? status : DAL_OK;
}

void dal_move_value_finish(struct dal_move_value *trial)
{
    dal_free(trial->limit);
    *trial = (struct dal_move_value){0};
}

/* ---- for people ------------------------------------------------------------------------------ */

void dal_mapping_move_describe(struct dal_text *text, const struct dal_mapping_move *change)
{
    if (change->kind == DAL_MAPPING_MOVE_CAPACITY)
        dal_text_printf(text, "%" PRIu64 " tokens of capacity in %s", change->capacity,
                        change->channel->name);
    else if (change->kind == DAL_MAPPING_MOVE_COPIES)
        dal_text_printf(text, "%" PRIu32 " shadow copies of %s", change->copies,
                        change->process->name);
    else
        dal_text_printf(text, "%s to", change->process->name);
    for (size_t i = 0; i < change->processor_count; i++)
        dal_text_printf(text, "%s%s", i ? ", " : " ", change->processors[i]->name);
}

/* ---- as a mapping ---------------------------------------------------------------------------- */

int dal_mapping_move_write(const struct dal_plan *plan, const struct dal_mapping_move *change,
                           struct dal_text *text)
{
    struct dal_spec spec = *plan->spec;
    int status = DAL_OK;
    if (change)
        status = change_spec(&spec, change);
    if (status == DAL_OK)
        dal_mapping_write(text, &spec, "");
    finish_changed(&spec, plan);
    return text->lost ? DAL_ERR_NOMEM : status;
}
