#include "synth/predict/change.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/diag.h"

#include <inttypes.h>
#include <string.h>

/* ---- the changed specification --------------------------------------------------------------- */

/* Shares all but what is changed with the plan's. */
struct variant {
    struct dal_spec spec;
    struct dal_plan *plan;
    struct dal_diags diags; /* nobody reads them */
};

static void rebind(struct dal_spec_binding *binding, const struct dal_change *change)
{
    if (binding->capability != change->capability)
        binding->work_items = 0;
    binding->processors = change->processors;
    binding->processor_count = change->processor_count;
    binding->capability = change->capability;
    binding->source = change->source;
    binding->shadow_copies = change->copies;
    if (change->capability == DAL_CAPABILITY_POSIX)
        binding->fallback = NULL;
}

static int copy_bindings(struct variant *v, const struct dal_change *change)
{
    struct dal_spec_mapping *mapping = &v->spec.mapping;
    struct dal_spec_binding *copy = dal_calloc(mapping->binding_count + 1, sizeof(*copy));

    if (!copy)
        return DAL_ERR_NOMEM;
    memcpy(copy, mapping->bindings, mapping->binding_count * sizeof(*copy));
    mapping->bindings = copy;
    if (change->kind == DAL_CHANGE_BIND)
        rebind(&copy[change->process->number], change);
    if (change->kind == DAL_CHANGE_COPIES)
        copy[change->process->number].shadow_copies = change->copies;
    return DAL_OK;
}

/* The last word on a channel counts. */
static int copy_overrides(struct variant *v, const struct dal_change *change)
{
    struct dal_spec_mapping *mapping = &v->spec.mapping;
    struct dal_spec_override *copy = dal_calloc(mapping->override_count + 2, sizeof(*copy));
    size_t i;

    if (!copy)
        return DAL_ERR_NOMEM;
    for (i = 0; i < mapping->override_count; i++)
        copy[i] = mapping->overrides[i];
    mapping->overrides = copy;
    if (change->kind == DAL_CHANGE_CAPACITY)
        copy[mapping->override_count++] = (struct dal_spec_override){
            .channel = &v->spec.network.channels[change->channel->number],
            .capacity = change->capacity,
            .place = change->channel->place};
    return DAL_OK;
}

/* What the sources have shown, which are not read again. */
static int keep_apart(const struct dal_plan *plan, struct dal_plan *changed)
{
    int status = DAL_OK;
    size_t i;

    for (i = 0; i < plan->process_count && status == DAL_OK; i++)
        if (plan->processes[i].stays_apart)
            status = dal_plan_stay_apart(&changed->processes[i], dal_strdup(""));
    return status;
}

/* Without a prediction, capacities do not matter. */
static int make_plan(struct variant *v, const struct dal_plan *plan, int predicts, double seconds)
{
    int status;

    v->plan = dal_plan_create(&v->spec);
    if (!v->plan)
        return DAL_ERR_NOMEM;
    v->plan->seconds = seconds;
    status = dal_plan_place(&v->diags, v->plan);
    if (status == DAL_OK)
        status = dal_plan_choose(&v->diags, v->plan);
    if (status == DAL_OK)
        status = dal_plan_order(v->plan);
    if (status == DAL_OK)
        status = keep_apart(plan, v->plan);
    if (status == DAL_OK)
        status = dal_plan_groups(v->plan);
    return status == DAL_OK && predicts ? dal_plan_capacities(&v->diags, v->plan) : status;
}

static void finish_variant(struct variant *v, const struct dal_plan *plan)
{
    dal_plan_destroy(v->plan);
    if (v->spec.mapping.bindings != plan->spec->mapping.bindings)
        dal_free(v->spec.mapping.bindings);
    if (v->spec.mapping.overrides != plan->spec->mapping.overrides)
        dal_free(v->spec.mapping.overrides);
    dal_diags_finish(&v->diags);
}

/* ---- trying it ------------------------------------------------------------------------------- */

static int predict(const struct dal_plan *plan, struct dal_trial *trial)
{
    struct dal_prediction prediction;
    int status = dal_predict(plan, &prediction);

    if (status == DAL_OK && !prediction.unknown) {
        trial->is_there = 1;
        trial->period_ns = prediction.period_ns;
        trial->settled = prediction.settled;
        trial->limit = prediction.limit;
        prediction.limit = NULL;
    }
    dal_prediction_finish(&prediction);
    return status;
}

static int count_bytes(const struct dal_plan *plan, struct dal_trial *trial)
{
    struct dal_ledger ledger;
    int status = dal_ledger_make(plan, &ledger);

    trial->all = ledger.all;
    dal_ledger_finish(&ledger);
    return status;
}

int dal_change_try(const struct dal_plan *plan, const struct dal_change *change, int predicts,
                   double seconds, struct dal_trial *trial)
{
    struct variant v = {.spec = *plan->spec};
    int status;

    *trial = (struct dal_trial){0};
    dal_diags_init(&v.diags);
    status = copy_bindings(&v, change);
    if (status == DAL_OK)
        status = copy_overrides(&v, change);
    if (status == DAL_OK)
        status = make_plan(&v, plan, predicts, seconds);
    if (status == DAL_OK)
        status = count_bytes(v.plan, trial);
    if (status == DAL_OK && predicts)
        status = predict(v.plan, trial);
    else if (status == DAL_OK)
        trial->is_there = 1;
    finish_variant(&v, plan);
    return status == DAL_ERR_NOMEM ? status : DAL_OK;
}

void dal_trial_finish(struct dal_trial *trial)
{
    dal_free(trial->limit);
    *trial = (struct dal_trial){0};
}

/* ---- for people ------------------------------------------------------------------------------ */

char *dal_change_describe(const struct dal_change *change)
{
    struct dal_text text = {0};
    size_t i;

    if (change->kind == DAL_CHANGE_CAPACITY)
        return dal_format("%" PRIu64 " tokens of capacity in %s", change->capacity,
                          change->channel->name);
    if (change->kind == DAL_CHANGE_COPIES)
        return dal_format("%" PRIu32 " shadow copies of %s", change->copies, change->process->name);
    dal_text_printf(&text, "%s to", change->process->name);
    for (i = 0; i < change->processor_count; i++)
        dal_text_printf(&text, "%s%s", i ? ", " : " ", change->processors[i]->name);
    return dal_text_take(&text);
}

/* ---- as a mapping ---------------------------------------------------------------------------- */

static void write_copies(uint32_t copies, FILE *out)
{
    if (copies == DAL_SPEC_AUTO)
        fputs(" shadowcopies=\"auto\"", out);
    else if (copies)
        fprintf(out, " shadowcopies=\"%" PRIu32 "\"", copies);
}

static void write_items(const struct dal_spec_binding *b, FILE *out)
{
    const uint32_t *shape = b->work_shape;

    if (b->work_items == DAL_SPEC_AUTO)
        fputs(" workitems=\"auto\"", out);
    else if (b->work_items && shape[0])
        fprintf(out, " workitems=\"%" PRIu32 "x%" PRIu32 "x%" PRIu32 "\"", shape[0], shape[1],
                shape[2]);
    else if (b->work_items)
        fprintf(out, " workitems=\"%" PRIu32 "\"", b->work_items);
}

static void write_target(const struct dal_spec_binding *b, FILE *out)
{
    static const char *const groups[] = {[DAL_GROUP_IF_POSSIBLE] = "",
                                         [DAL_GROUP_YES] = " group=\"yes\"",
                                         [DAL_GROUP_NO] = " group=\"no\""};

    if (!b->shadow_copies && !b->work_items && !b->has_priority && !*groups[b->group])
        return;
    fputs("<target", out);
    write_copies(b->shadow_copies, out);
    write_items(b, out);
    if (b->has_priority)
        fprintf(out, " priority=\"%d\"", b->priority);
    fprintf(out, "%s/>", groups[b->group]);
}

static void write_binding(const struct dal_spec_binding *b, FILE *out)
{
    size_t i;

    fprintf(out, "  <binding name=\"bind_%zu\"><process name=\"%s\" sourceid=\"%d\"/>",
            b->process->number, b->process->name, b->source->id);
    for (i = 0; i < b->processor_count; i++)
        fprintf(out, "<processor name=\"%s\"/>", b->processors[i]->name);
    write_target(b, out);
    if (b->fallback)
        fprintf(out, "<fallback sourceid=\"%d\" processor=\"%s\"/>", b->fallback->id,
                b->fallback_processor->name);
    fputs("</binding>\n", out);
}

/* Kind and capacity of a channel, where the mapping has a say. */
static void write_override(const struct dal_plan_channel *ch, const struct dal_change *change,
                           FILE *out)
{
    uint64_t capacity = ch->size ? ch->size->capacity : 0;

    if (change && change->kind == DAL_CHANGE_CAPACITY && change->channel == ch->channel)
        capacity = change->capacity;
    if (!ch->wish && !capacity)
        return;
    fprintf(out, "  <channel name=\"%s\"", ch->channel->name);
    if (ch->wish)
        fprintf(out, " kind=\"%s\"", ch->wish->kind == DAL_WISH_NAIVE ? "naive" : "staged");
    if (capacity)
        fprintf(out, " size=\"%" PRIu64 "\"", capacity);
    fputs("/>\n", out);
}

void dal_change_write(const struct dal_plan *plan, const struct dal_change *change, FILE *out)
{
    const struct dal_spec_mapping *mapping = &plan->spec->mapping;
    size_t i;

    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<mapping name=\"%s\" processnetwork=\"%s\">\n",
            mapping->name, plan->spec->network.name);
    for (i = 0; i < mapping->binding_count; i++) {
        struct dal_spec_binding b = mapping->bindings[i];
        if (change && change->kind == DAL_CHANGE_BIND && change->process == b.process)
            rebind(&b, change);
        if (change && change->kind == DAL_CHANGE_COPIES && change->process == b.process)
            b.shadow_copies = change->copies;
        write_binding(&b, out);
    }
    for (i = 0; i < plan->channel_count; i++)
        write_override(&plan->channels[i], change, out);
    if (mapping->queue_depth)
        fprintf(out, "  <queue depth=\"%d\" policy=\"%s\"/>\n", mapping->queue_depth,
                mapping->policy);
    else if (strcmp(mapping->policy, "fcfs") != 0)
        fprintf(out, "  <queue policy=\"%s\"/>\n", mapping->policy);
    fputs("</mapping>\n", out);
}
