#include "synth/tune/predict/advice.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "spec/base/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A period below SHORTER of another is shorter. The second limit is as busy from AS_BUSY on. A
 * process that has ALONE of a processor's time is the limit by itself. */
static const double SHORTER = 0.98, AS_BUSY = 0.9, ALONE = 0.9;
enum { MOST_TOLD = 5, MOST_TRIED = 400, MOST_CHANNELS = 64, MOST_TARGETS = 16 };
/* Seconds for the capacities of one trial. */
static const double TRIAL_SECONDS = 0.2;

/* ---- trying ---------------------------------------------------------------------------------- */

struct work {
    const struct dal_plan *plan;
    const struct dal_prediction *prediction;
    struct dal_advice *advice;
    int64_t deadline_ns;
    int status;
};

static int is_over(struct work *w)
{
    if (w->status < 0)
        return 1;
    if (w->advice->tried < MOST_TRIED && dal_now_ns() < w->deadline_ns)
        return 0;
    w->advice->left++;
    return 1;
}

/* Takes `processors` over. */
static void try_change(struct work *w, struct dal_mapping_move change,
                       struct dal_spec_processor **processors)
{
    struct dal_advice *advice = w->advice;
    struct dal_recommendation *p;
    if (is_over(w)) {
        dal_free(processors);
        return;
    }
    if (dal_grow(&advice->list, advice->count, &advice->room, sizeof(*p))) {
        w->status = DAL_ERR_NOMEM;
        dal_free(processors);
        return;
    }
    p = &advice->list[advice->count];
    *p = (struct dal_recommendation){.change = change, .processors = processors};
    p->change.processors = processors;
    w->status = dal_mapping_move_try(w->plan, &p->change, 1, TRIAL_SECONDS, &p->trial);
    advice->tried++;
    if (w->status == DAL_OK && p->trial.is_there) {
        advice->count++;
        return;
    }
    dal_move_value_finish(&p->trial);
    dal_free(processors);
}

/* Tries a process on the processors of another one, or on `count` of these. */
static void try_binding(struct work *w, const struct dal_plan_process *p,
                        struct dal_spec_processor *const *to, size_t count, uint32_t copies)
{
    struct dal_spec_processor **processors;
    if (is_over(w))
        return;
    processors = dal_calloc(count + 1, sizeof(struct dal_spec_processor *));
    if (!processors) {
        w->status = DAL_ERR_NOMEM;
        return;
    }
    memcpy(processors, to, count * sizeof(struct dal_spec_processor *));
    try_change(w,
               (struct dal_mapping_move){.kind = DAL_MAPPING_MOVE_BIND,
                                         .process = p->process,
                                         .processor_count = count,
                                         .capability = p->binding->capability,
                                         .source = p->binding->source,
                                         .copies = copies},
               processors);
}

/* ---- other processors ------------------------------------------------------------------------ */

static int is_at(const struct dal_plan_process *p, const struct dal_spec_processor *processor)
{
    for (size_t i = 0; i < p->processor_count; i++)
        if (p->processors[i]->processor == processor)
            return 1;
    return 0;
}

/* Could a process run there for the time that was measured? On any core; on a device of the same
 * name, but for its number. Nodes that the mapping does not use are left out. */
static int is_alike(const struct dal_plan *plan, const struct dal_plan_process *p,
                    const struct dal_spec_processor *processor)
{
    const struct dal_spec_mapping *mapping = &plan->spec->mapping;
    const struct dal_spec_capability *own = p->processors[0]->capability;
    const struct dal_spec_capability *other = dal_spec_capability(processor, own->kind);
    const char *end;
    int is_used = mapping->node_count == 0;
    for (size_t i = 0; i < mapping->node_count; i++)
        is_used |= dal_text_same(mapping->nodes[i], processor->node);
    if (!other || !is_used || processor->other_node)
        return 0;
    if (own->kind == DAL_PROCESSOR_CORE)
        return 1;
    end = strstr(own->identifier, "_DEV");
    return end && strncmp(own->identifier, other->identifier,
                          (size_t)(end - own->identifier) + strlen("_DEV")) == 0;
}

static double busy_of(const struct work *w, const struct dal_spec_processor *processor,
                      enum dal_processor_kind kind)
{
    for (size_t i = 0; i < w->plan->processor_count; i++)
        if (w->plan->processors[i].processor == processor &&
            w->plan->processors[i].capability->kind == kind)
            return w->prediction->processors[i];
    return 0;
}

/* The processors that a process could go to, those with most time first. */
static size_t list_targets(const struct work *w, const struct dal_plan_process *p,
                           struct dal_spec_processor **targets)
{
    const struct dal_spec_architecture *arch = &w->plan->spec->architecture;
    enum dal_processor_kind kind = p->binding->capability;
    size_t k, count = 0;
    for (size_t i = 0; i < arch->processor_count; i++) {
        struct dal_spec_processor *one = &arch->processors[i];
        double busy = busy_of(w, one, kind);
        if (is_at(p, one) || !is_alike(w->plan, p, one))
            continue;
        if (count == MOST_TARGETS && busy_of(w, targets[count - 1], kind) <= busy)
            continue;
        count -= count == MOST_TARGETS;
        for (k = count++; k > 0 && busy_of(w, targets[k - 1], kind) > busy; k--)
            targets[k] = targets[k - 1];
        targets[k] = one;
    }
    return count;
}

static void try_places(struct work *w, const struct dal_plan_process *p)
{
    struct dal_spec_processor *targets[MOST_TARGETS];
    size_t count = list_targets(w, p, targets);
    uint32_t copies = p->binding->shadow_copies;
    for (size_t i = 0; i < count; i++)
        try_binding(w, p, &targets[i], 1, copies);
}

/* Tries a process on one core more, and on all that have some time; on a device, with more
 * copies. */
static void try_copies(struct work *w, const struct dal_plan_process *p)
{
    struct dal_spec_processor *all[2 * MOST_TARGETS], *targets[MOST_TARGETS];
    size_t count, own = p->processor_count;
    if (p->device) {
        for (size_t i = 2; i <= 8; i *= 2)
            if (p->shadow_copies && p->shadow_copies <= DAL_MAX_COPIES / i && !is_over(w))
                try_change(w,
                           (struct dal_mapping_move){.kind = DAL_MAPPING_MOVE_COPIES,
                                                     .process = p->process,
                                                     .copies = p->shadow_copies * (uint32_t)i},
                           NULL);
        return;
    }
    if (!dal_spec_is_stateless(p->process, p->source) || own > MOST_TARGETS)
        return;
    count = list_targets(w, p, targets);
    for (size_t i = 0; i < own; i++)
        all[i] = p->binding->processors[i];
    for (size_t i = 0; i < count; i++)
        all[own + i] = targets[i];
    for (size_t i = 1; i <= count; i = i < count && 2 * i > count ? count : 2 * i)
        try_binding(w, p, all, own + i, DAL_SPEC_AUTO);
}

static void try_capacity(struct work *w, const struct dal_plan_channel *ch)
{
    if (dal_spec_inplace(ch->channel->producer_port))
        return;
    for (uint64_t factor = 2; factor <= 8; factor *= 2)
        if (ch->capacity <= UINT64_MAX / factor && !is_over(w))
            try_change(w,
                       (struct dal_mapping_move){.kind = DAL_MAPPING_MOVE_CAPACITY,
                                                 .channel = ch->channel,
                                                 .capacity = factor * ch->capacity},
                       NULL);
}

/* ---- which changes, by what limits ----------------------------------------------------------- */

static void try_processor(struct work *w, const struct dal_plan_processor *processor)
{
    for (size_t i = 0; i < w->plan->process_count; i++) {
        const struct dal_plan_process *p = dal_plan_in_order(w->plan, i);
        if (p->process->kpn || !dal_plan_runs_on(p, processor))
            continue;
        try_places(w, p);
        try_copies(w, p);
    }
}

/* Tries both ends of a channel in one place. */
static void try_together(struct work *w, const struct dal_plan_channel *ch)
{
    const struct dal_plan_process *from = dal_plan_producer(w->plan, ch->channel);
    const struct dal_plan_process *to = dal_plan_consumer(w->plan, ch->channel);
    if (from->device != to->device || from->process->kpn || to->process->kpn ||
        dal_plan_is_bound_alike(from, to))
        return;
    try_binding(w, to, from->binding->processors, from->processor_count,
                to->binding->shadow_copies);
    try_binding(w, from, to->binding->processors, to->processor_count,
                from->binding->shadow_copies);
}

static void try_channels(struct work *w, int together)
{
    for (size_t i = 0; i < w->plan->channel_count && i < MOST_CHANNELS; i++) {
        const struct dal_plan_channel *ch = &w->plan->channels[i];
        if (!together)
            try_capacity(w, ch);
        else if (!dal_channel_traits(ch->kind)->in_place)
            try_together(w, ch);
    }
}

static void try_all(struct work *w)
{
    const struct dal_prediction *p = w->prediction;
    const struct dal_plan *plan = w->plan;
    if (p->limit_kind == DAL_LIMIT_PERIOD)
        return; /* the network is as fast as its periods ask */
    if (p->limit_kind == DAL_LIMIT_PROCESSOR)
        try_processor(w, &plan->processors[p->limit_of]);
    if (p->limit_kind == DAL_LIMIT_PROCESS)
        try_copies(w, &plan->processes[p->limit_of]);
    try_channels(w, p->limit_kind == DAL_LIMIT_WAY);
    if (p->limit_kind == DAL_LIMIT_WAY)
        try_channels(w, 0);
    else if (p->limit_kind != DAL_LIMIT_PROCESSOR)
        try_channels(w, 1);
}

/* ---- what limits ----------------------------------------------------------------------------- */

static const char *const limits_open =
    "capacities, cycles, and the time that tokens are on their way";

/* Returns the process that has nearly all of a processor's busy time; NULL: several share it. */
static const struct dal_plan_process *find_only(const struct work *w,
                                                const struct dal_plan_processor *processor)
{
    const struct dal_plan_process *most = NULL;
    double sum = 0;
    for (size_t i = 0; i < w->plan->process_count; i++) {
        const struct dal_plan_process *p = &w->plan->processes[i];
        double part = w->prediction->processes[i] / (double)p->processor_count;
        if (!dal_plan_runs_on(p, processor))
            continue;
        sum += part;
        if (!most ||
            part > w->prediction->processes[most->process->number] / (double)most->processor_count)
            most = p;
    }
    return most && w->prediction->processes[most->process->number] >=
                       ALONE * sum * (double)most->processor_count
               ? most
               : NULL;
}

/* The channel whose capacity helps most. */
static const struct dal_spec_channel *find_narrow(const struct work *w)
{
    const struct dal_spec_channel *found = NULL;
    double least = SHORTER * w->prediction->period_ns;
    for (size_t i = 0; i < w->advice->count; i++) {
        const struct dal_recommendation *p = &w->advice->list[i];
        if (p->change.kind != DAL_MAPPING_MOVE_CAPACITY || p->trial.period_ns >= least)
            continue;
        least = p->trial.period_ns;
        found = p->change.channel;
    }
    return found;
}

/* Returns the process of several cores, if any, that is nearly always at work though these are not:
 * it fires once at a time. */
static const struct dal_plan_process *find_serial(const struct work *w)
{
    const struct dal_plan_process *found = NULL;
    double most = DAL_PREDICT_HOLDS_UP;
    for (size_t i = 0; i < w->plan->process_count; i++) {
        const struct dal_plan_process *p = &w->plan->processes[i];
        double busy = w->prediction->processes[p->process->number];
        if (p->device || p->processor_count < 2 || p->shadow_copies > 1 || busy < most)
            continue;
        most = busy;
        found = p;
    }
    return found;
}

/* Says which process has to take less time, where no change of the mapping helps. */
static char *write_hint(const struct work *w)
{
    const struct dal_prediction *p = w->prediction;
    const struct dal_plan_process *only =
        p->limit_kind == DAL_LIMIT_PROCESSOR ? find_only(w, &w->plan->processors[p->limit_of])
        : p->limit_kind == DAL_LIMIT_PROCESS ? &w->plan->processes[p->limit_of]
        : p->limit_kind == DAL_LIMIT_ROOM    ? find_serial(w)
                                             : NULL;
    if (!only)
        return dal_strdup("");
    if (only->device || dal_spec_is_stateless(only->process, only->source))
        return dal_format("; %s has to take less time", only->process->name);
    return dal_format("; %s has to take less time, or to be stateless, and then have copies%s%s",
                      only->process->name, only->source->doubt ? ": " : "",
                      only->source->doubt ? only->source->doubt : "");
}

static char *name_limit(const struct work *w)
{
    const struct dal_prediction *p = w->prediction;
    const struct dal_plan *plan = w->plan;
    const struct dal_plan_process *only;
    const struct dal_spec_channel *narrow;
    if (p->limit_kind == DAL_LIMIT_PROCESSOR) {
        const struct dal_plan_processor *processor = &plan->processors[p->limit_of];
        only = find_only(w, processor);
        return only ? dal_format("process %s, which has %s for itself", only->process->name,
                                 processor->processor->name)
                    : dal_format("processor %s, which several processes share",
                                 processor->processor->name);
    }
    if (p->limit_kind == DAL_LIMIT_WAY)
        return dal_format("the way of tokens: %s", p->limit);
    if (p->limit_kind == DAL_LIMIT_PERIOD)
        return dal_format("%s, which is kept", p->limit);
    if (p->limit_kind == DAL_LIMIT_PROCESS)
        return dal_format("process %s", p->limit);
    narrow = find_narrow(w);
    if (narrow)
        return dal_format("the capacity of channel %s", narrow->name);
    return dal_strdup(p->limit_kind == DAL_LIMIT_DEADLOCK ? "a deadlock" : limits_open);
}

static char *judge_limit(const struct work *w)
{
    const struct dal_prediction *p = w->prediction;
    const char *unsettled = p->settled ? "" : "; the prediction has not settled";
    if (p->limit_kind == DAL_LIMIT_ROOM && !find_narrow(w))
        return dal_format("not sure: more capacity of one channel does not help%s", unsettled);
    if (p->limit_kind == DAL_LIMIT_ROOM || p->limit_kind == DAL_LIMIT_DEADLOCK)
        return dal_format("sure: with more of it the period is shorter%s", unsettled);
    if (p->next_busy >= AS_BUSY)
        return dal_format("not sure: what is busiest beside it is so for %.0f %% of the time%s",
                          100 * p->next_busy, unsettled);
    return dal_format("sure: what is busiest beside it is so for %.0f %% of the time%s",
                      100 * p->next_busy, unsettled);
}

/* ---- the advice ------------------------------------------------------------------------------ */

static double cost_of(const struct dal_mapping_move *change)
{
    return change->kind == DAL_MAPPING_MOVE_CAPACITY
               ? (double)change->capacity * (double)change->channel->token_bytes
               : (double)change->processor_count;
}

static int is_capacity(const struct dal_recommendation *p)
{
    return p->change.kind == DAL_MAPPING_MOVE_CAPACITY;
}

/* Orders by the least period, then the fewest bytes that are moved, then the smallest change. */
static int compare_proposals(const void *a, const void *b)
{
    const struct dal_recommendation *x = a, *y = b;
    double by = x->trial.period_ns / y->trial.period_ns;
    if (by < 0.999 || by > 1.001)
        return by < 1 ? -1 : 1;
    if (x->trial.all.copied + x->trial.all.sent != y->trial.all.copied + y->trial.all.sent)
        return x->trial.all.copied + x->trial.all.sent < y->trial.all.copied + y->trial.all.sent
                   ? -1
                   : 1;
    if (is_capacity(x) != is_capacity(y))
        return is_capacity(x) - is_capacity(y);
    return (cost_of(&x->change) > cost_of(&y->change)) -
           (cost_of(&x->change) < cost_of(&y->change));
}

/* Puts the best first, again and again: "about as good" is no order, so qsort() cannot do it. */
static void sort_best(struct dal_advice *advice)
{
    for (size_t i = 0; i < advice->count && i < MOST_TOLD; i++)
        for (size_t k = i + 1; k < advice->count; k++)
            if (compare_proposals(&advice->list[k], &advice->list[i]) < 0) {
                struct dal_recommendation other = advice->list[i];
                advice->list[i] = advice->list[k];
                advice->list[k] = other;
            }
}

int dal_advise(const struct dal_plan *plan, const struct dal_prediction *prediction, double seconds,
               struct dal_advice *advice)
{
    struct work w = {.plan = plan,
                     .prediction = prediction,
                     .advice = advice,
                     .deadline_ns = dal_now_ns() + (int64_t)(seconds * 1e9)};
    *advice = (struct dal_advice){0};
    try_all(&w);
    if (w.status < 0)
        return w.status;
    advice->limit = name_limit(&w);
    advice->sure = judge_limit(&w);
    advice->hint = write_hint(&w);
    sort_best(advice);
    return advice->limit && advice->sure && advice->hint ? DAL_OK : DAL_ERR_NOMEM;
}

void dal_advice_finish(struct dal_advice *advice)
{
    for (size_t i = 0; i < advice->count; i++) {
        dal_move_value_finish(&advice->list[i].trial);
        dal_free(advice->list[i].processors);
    }
    dal_free_all(advice->list, advice->limit, advice->sure, advice->hint);
    *advice = (struct dal_advice){0};
}

static int helps(const struct dal_prediction *prediction, const struct dal_recommendation *p)
{
    return isinf(prediction->period_ns) ? !isinf(p->trial.period_ns)
                                        : p->trial.period_ns < SHORTER * prediction->period_ns;
}

const struct dal_recommendation *dal_advice_best(const struct dal_prediction *prediction,
                                                 const struct dal_advice *advice)
{
    return advice->count && helps(prediction, &advice->list[0]) ? &advice->list[0] : NULL;
}

static void add_proposal(struct dal_text *t, const struct dal_prediction *prediction,
                         const struct dal_recommendation *p)
{
    double part = 1 - p->trial.period_ns / prediction->period_ns;
    dal_mapping_move_describe(t, &p->change);
    dal_text_printf(t, "\v%s\v", dal_predict_ns(p->trial.period_ns).text);
    if (isinf(prediction->period_ns))
        dal_text_add(t, "-");
    else
        dal_text_printf(t, "%.1f %%", 100 * part);
    dal_text_printf(t, "\v%s%s\n", p->trial.limit, p->trial.settled ? "" : "; it has not settled");
}

int dal_advice_print(const struct dal_prediction *prediction, const struct dal_advice *advice,
                     FILE *out)
{
    struct dal_text t = {0};
    int status = DAL_OK;
    fprintf(out, "advice: what limits it is %s (%s)\n", advice->limit, advice->sure);
    if (dal_advice_best(prediction, advice)) {
        dal_text_add(&t, "one change\vperiod\vshorter by\vwhat limits it then\n");
        for (size_t i = 0;
             i < advice->count && i < MOST_TOLD && helps(prediction, &advice->list[i]); i++)
            add_proposal(&t, prediction, &advice->list[i]);
        fputc('\n', out);
        status = dal_table_print(&t, out);
    }
    fprintf(out, "\n%zu changes were tried%s", advice->tried,
            advice->left ? ", and others left out as the time was up" : "");
    if (dal_advice_best(prediction, advice))
        fputc('\n', out);
    else
        fprintf(out, ": none of them helps%s\n", advice->hint);
    return status;
}
