#include "synth/tune/predict/promise.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/analyse/graph.h"
#include "synth/plan/choose.h"

#include <math.h>
#include <string.h>

/* The most processes, summed over all plans that are tried. */
enum { MOST_PROCESSES_TRIED = 20000 };

/* ---- what a plan needs ----------------------------------------------------------------------- */

/* Returns the part of a promise that a path needs; INFINITY: no iteration has ended. */
static double weigh_path(const struct dal_prediction_path *path)
{
    if (path->most_ns < 0)
        return INFINITY;
    return path->promised_ns / (DAL_PROMISE_PART * (double)path->promise->max_ns);
}

double dal_promise_part(const struct dal_prediction *prediction)
{
    double most = 0;
    if (!prediction->path_count || !prediction->paths[0].promise)
        return 0;
    if (isinf(prediction->period_ns))
        return INFINITY;
    for (size_t i = 0; i < prediction->path_count && prediction->paths[i].promise; i++)
        most = fmax(most, weigh_path(&prediction->paths[i]));
    return most;
}

/* ---- one choice ------------------------------------------------------------------------------ */

/* A search among plans that differ only in firings at once and in sizes. */
struct search {
    const struct dal_plan *plan;
    struct dal_plan_memory *memory;
    uint64_t firings;                   /* most at once; 0: as usual */
    uint64_t *sizes;                    /* by channel number: that are tried; 0: computed */
    int with_sizes;                     /* true if `sizes` count */
    uint64_t *found;                    /* capacities of the last plan; behind `sizes` */
    uint64_t *least;                    /* by channel number, of those that are open; else 0 */
    uint64_t *most;                     /* by channel number, the capacities in the usual plan */
    double part;                        /* the part of the promises that the best needs */
    double period_ns;                   /* the period of the best */
    uint64_t best_firings, *best_sizes; /* firings and sizes of the best */
    int has_sizes;
    unsigned tried, most_tried;
};

/* A plan that needs less of the promises is better, as long as it needs more than there is; then
 * one with a shorter period. */
static int is_better(const struct search *s, double part, double period_ns)
{
    if (part > 1 || s->part > 1)
        return part < s->part;
    return period_ns < s->period_ns;
}

static void keep_best(struct search *s, double part, double period_ns)
{
    s->part = part;
    s->period_ns = period_ns;
    s->best_firings = s->firings;
    s->has_sizes = s->with_sizes;
    if (s->with_sizes)
        memcpy(s->best_sizes, s->sizes, s->plan->channel_count * sizeof(*s->sizes));
}

static int weigh_trial(struct search *s, const struct dal_plan *trial)
{
    struct dal_prediction prediction;
    int status = dal_predict(trial, 1, &prediction),
        known = status == DAL_OK && !prediction.unknown;
    double part = known ? dal_promise_part(&prediction) : 0;
    double period_ns = known ? prediction.period_ns : INFINITY;
    dal_prediction_finish(&prediction);
    for (size_t i = 0; i < trial->channel_count; i++)
        s->found[i] = trial->channels[i].capacity;
    if (status == DAL_OK && is_better(s, part, period_ns))
        keep_best(s, part, period_ns);
    return status;
}

/* Tries a choice. If it cannot be planned, as where capacities are too small for an iteration, it
 * does not count. */
static int try_choice(struct search *s)
{
    const struct dal_evaluation evaluation = {.spec = s->plan->spec,
                                              .like = s->plan,
                                              .memory = s->memory,
                                              .seconds = s->plan->seconds,
                                              .most_firings = s->firings,
                                              .sizes = s->with_sizes ? s->sizes : NULL};
    struct dal_plan *trial;
    int status = dal_evaluation_plan(NULL, &evaluation, &trial);
    s->tried++;
    if (status == DAL_OK)
        status = weigh_trial(s, trial);
    dal_plan_destroy(trial);
    return status == DAL_ERR_NOMEM ? status : DAL_OK;
}

/* ---- fewer firings at once ------------------------------------------------------------------- */

/* Tries fewer and fewer firings at once, until one choice keeps all promises. */
static int try_firings(struct search *s)
{
    uint64_t firings = DAL_PLAN_BLOCK_FIRINGS;
    int status = try_choice(s);
    memcpy(s->most, s->found, s->plan->channel_count * sizeof(*s->most));
    for (; status == DAL_OK && s->part > 1 && firings > 0 && s->tried < s->most_tried;
         firings /= 2) {
        s->firings = firings;
        status = try_choice(s);
    }
    return status;
}

/* ---- less capacity --------------------------------------------------------------------------- */

/* Finds the least capacity of each channel whose capacity may be chosen. The channels of a port
 * have that of the first. Returns how many there are. */
static size_t find_least(struct search *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->plan->channel_count; i++) {
        const struct dal_plan_channel *ch = &s->plan->channels[i];
        int is_first = ch->channel->producer_port->channel == ch->channel;
        s->sizes[i] = s->found[i];
        if (!dal_plan_is_open(ch) || !is_first)
            continue;
        s->least[i] = dal_spec_least_capacity(ch->channel);
        s->most[i] = s->most[i] < s->least[i] ? s->least[i] : s->most[i];
        count++;
    }
    return count;
}

/* Sets the sizes of all channels of a port alike, each at least its own least. */
static void set_size(struct search *s, size_t channel, uint64_t size)
{
    const struct dal_spec_channel *c = s->plan->channels[channel].channel;
    for (; c; c = c->next_of_port) {
        uint64_t least = dal_spec_least_capacity(c);
        s->sizes[c->number] = size > least ? size : least;
    }
}

/* Returns how many sizes each channel may have so that there is time for all combinations. */
static uint64_t count_each(const struct search *s, size_t channels)
{
    uint64_t each = s->most_tried > s->tried ? (s->most_tried - s->tried) / 2 : 0;
    if (channels > 1)
        each = (uint64_t)(pow((double)each, 1 / (double)channels) + 1e-9);
    return each;
}

/* Goes to the next combination of sizes, a number with a digit for each channel. Returns 0 behind
 * the last. */
static int next_sizes(struct search *s, uint64_t each)
{
    for (size_t i = 0; i < s->plan->channel_count; i++) {
        uint64_t size = s->sizes[i] + 1;
        if (!s->least[i])
            continue;
        if (size <= s->most[i] && size < s->least[i] + each) {
            set_size(s, i, size);
            return 1;
        }
        set_size(s, i, s->least[i]);
    }
    return 0;
}

/* Tries the `each` smallest sizes of every channel, with all of the others'. */
static int try_all_sizes(struct search *s, uint64_t each)
{
    int status = DAL_OK;
    for (size_t i = 0; i < s->plan->channel_count; i++)
        if (s->least[i])
            set_size(s, i, s->least[i]);
    do
        status = try_choice(s);
    while (status == DAL_OK && next_sizes(s, each));
    return status;
}

static int try_size(struct search *s, size_t channel, uint64_t size)
{
    if (size == s->sizes[channel] || s->tried >= s->most_tried || s->part <= 1)
        return DAL_OK;
    set_size(s, channel, size);
    return try_choice(s);
}

/* Tries the least, half of, and twice the size; the best stays. Returns whether the size has
 * changed, or DAL_ERR_NOMEM. */
static int try_channel(struct search *s, size_t channel)
{
    uint64_t before = s->sizes[channel], least = s->least[channel], most = s->most[channel];
    double part = s->part;
    int status = try_size(s, channel, least);
    if (status == DAL_OK)
        status = try_size(s, channel, least + (before - least) / 2);
    if (status == DAL_OK)
        status = try_size(s, channel, before < most / 2 ? 2 * before : most);
    set_size(s, channel, s->part < part ? s->best_sizes[channel] : before);
    return status == DAL_OK ? s->part < part : status;
}

/* Changes the best sizes, one channel after the other. */
static int try_each_channel(struct search *s)
{
    int changed = 1;
    if (s->has_sizes)
        memcpy(s->sizes, s->best_sizes, s->plan->channel_count * sizeof(*s->sizes));
    while (changed > 0 && s->part > 1 && s->tried < s->most_tried) {
        changed = 0;
        for (size_t i = 0; i < s->plan->channel_count && changed >= 0; i++) {
            int status = s->least[i] ? try_channel(s, i) : 0;
            changed = status < 0 ? status : changed | status;
        }
    }
    return changed < 0 ? changed : DAL_OK;
}

/* Tries sizes with one firing at once, then with two: then ends of activations cost less. Where
 * there are few channels, half of the trials are all combinations of the smallest sizes. */
static int try_sizes(struct search *s)
{
    size_t channels = find_least(s);
    int status = DAL_OK;
    s->with_sizes = 1;
    for (s->firings = 1; s->firings <= 2 && status == DAL_OK && s->part > 1; s->firings++) {
        uint64_t each = channels ? count_each(s, channels) : 0;
        if (each > 1)
            status = try_all_sizes(s, each);
        if (status == DAL_OK)
            status = try_each_channel(s);
    }
    return status;
}

/* ---- the choice ------------------------------------------------------------------------------ */

static int search_choices(struct search *s)
{
    size_t count = s->plan->channel_count + 1;
    int status;
    s->sizes = dal_calloc(4 * count, sizeof(*s->sizes));
    s->best_sizes = dal_calloc(count, sizeof(*s->best_sizes));
    if (!s->sizes || !s->best_sizes)
        return DAL_ERR_NOMEM;
    s->found = s->sizes + count;
    s->least = s->found + count;
    s->most = s->least + count;
    status = try_firings(s);
    return status == DAL_OK && s->part > 1 ? try_sizes(s) : status;
}

static void take_best(struct search *s, struct dal_plan *plan)
{
    plan->most_firings = s->best_firings;
    if (!s->has_sizes)
        return;
    plan->sizes = s->best_sizes;
    s->best_sizes = NULL;
}

/* A plan of many processes takes long: 1,000 of them some tenths of a second. */
static unsigned limit_tries(const struct dal_plan *plan, unsigned most)
{
    size_t tries = DAL_PROMISE_FEW + MOST_PROCESSES_TRIED / (plan->process_count + 1);
    return tries < most ? (unsigned)tries : most;
}

int dal_promise_choose(struct dal_plan *plan, unsigned most)
{
    struct search s = {.plan = plan,
                       .memory = plan->memory,
                       .part = INFINITY,
                       .most_tried = limit_tries(plan, most)};
    int status;
    if (!plan->spec->network.latency_count || !dal_predict_is_wanted(plan))
        return DAL_OK;
    if (!s.memory)
        s.memory = dal_plan_memory_create();
    status = s.memory ? search_choices(&s) : DAL_ERR_NOMEM;
    if (status == DAL_OK)
        take_best(&s, plan);
    if (s.memory != plan->memory)
        dal_plan_memory_destroy(s.memory);
    dal_free_all(s.sizes, s.best_sizes);
    return status;
}

/* ---- what is evaluated ----------------------------------------------------------------------- */

/* Groups are those that the sources let be, as far as they are known. */
static int keep_groups(const struct dal_evaluation *e, struct dal_plan *plan)
{
    int status = e->like ? dal_plan_keep_apart(e->like, plan) : DAL_OK;
    plan->tries_registers = e->like ? e->like->tries_registers : e->tries_registers;
    for (size_t i = 0; e->apart && !status && i < plan->process_count; i++)
        if (e->apart[i] && plan->processes[i].device)
            status = dal_plan_stay_apart(&plan->processes[i], dal_strdup("its source"));
    return status;
}

static int take_sizes(const struct dal_evaluation *e, struct dal_plan *plan)
{
    if (!e->sizes)
        return DAL_OK;
    plan->sizes = dal_calloc(plan->channel_count + 1, sizeof(*plan->sizes));
    if (!plan->sizes)
        return DAL_ERR_NOMEM;
    memcpy(plan->sizes, e->sizes, plan->channel_count * sizeof(*plan->sizes));
    return DAL_OK;
}

static int make_plan(struct dal_diags *diags, const struct dal_evaluation *e, struct dal_plan *plan)
{
    int status = take_sizes(e, plan);
    plan->memory = e->memory;
    plan->seconds = e->seconds;
    if (!status)
        status = dal_plan_place(diags, plan);
    if (!status && e->keeps_promises)
        status = dal_promise_choose(plan, DAL_PROMISE_FEW);
    if (e->most_firings)
        plan->most_firings = e->most_firings;
    if (!status)
        status = keep_groups(e, plan);
    if (!status)
        status = dal_plan_arrange(diags, plan);
    return status || e->leaves_capacities ? status : dal_plan_capacities(diags, plan);
}

int dal_evaluation_plan(struct dal_diags *diags, const struct dal_evaluation *evaluation,
                        struct dal_plan **plan)
{
    struct dal_diags own;
    int status;
    dal_diags_init(&own);
    *plan = dal_plan_create(evaluation->spec);
    status = *plan ? make_plan(diags ? diags : &own, evaluation, *plan) : DAL_ERR_NOMEM;
    if (own.lost)
        status = DAL_ERR_NOMEM;
    dal_diags_finish(&own);
    if (!status)
        return DAL_OK;
    dal_plan_destroy(*plan);
    *plan = NULL;
    return status;
}

/* ---- the verdict ----------------------------------------------------------------------------- */

static void refuse_path(struct dal_diags *diags, const struct dal_plan *plan,
                        const struct dal_prediction *prediction,
                        const struct dal_prediction_path *path)
{
    const struct dal_spec_latency *promise = path->promise;
    dal_error(diags, promise->place, "latency",
              "latency from '%s' to '%s': %.6g ms%s cannot be kept with this mapping: predicted "
              "is %s at most, and %.3g of a promise is all that is counted on",
              promise->from->name, promise->to->name, (double)promise->max_ns / 1e6,
              dal_prediction_part(promise).text, dal_predict_ns(path->promised_ns).text,
              DAL_PROMISE_PART);
    dal_note(diags, promise->place, "what limits the period: %s%s", prediction->limit,
             plan->most_firings == 1 ? "; processes fire once at a time already" : "");
}

static void warn_unknown(struct dal_diags *diags, const struct dal_plan *plan, const char *why)
{
    const struct dal_spec_network *network = &plan->spec->network;
    for (size_t i = 0; i < network->latency_count; i++)
        dal_warning(diags, network->latencies[i].place, "latency",
                    "whether the latency from '%s' to '%s' is kept is not known: nobody has "
                    "measured %s (see --profile and --times)",
                    network->latencies[i].from->name, network->latencies[i].to->name, why);
}

/* Warns of promises between nodes, since each node has a clock of its own. */
static void warn_nodes(struct dal_diags *diags, const struct dal_plan *plan)
{
    const struct dal_spec_network *network = &plan->spec->network;
    for (size_t i = 0; i < network->latency_count; i++) {
        const struct dal_spec_latency *promise = &network->latencies[i];
        const struct dal_plan_process *from = &plan->processes[promise->from->number];
        const struct dal_plan_process *to = &plan->processes[promise->to->number];
        if (from->processors[0]->processor->node_number !=
            to->processors[0]->processor->node_number)
            dal_warning(diags, promise->place, "latency",
                        "the latency from '%s' to '%s' is not counted at run time: they are on "
                        "different nodes, whose clocks differ",
                        promise->from->name, promise->to->name);
    }
}

/* The first process on cores of the node of this one, which is on a device; NULL without one. */
static const struct dal_plan_process *find_beside(const struct dal_plan *plan,
                                                  const struct dal_plan_process *p)
{
    size_t node = p->processors[0]->processor->node_number;
    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *other = &plan->processes[i];
        if (!other->device && other->processors[0]->processor->node_number == node)
            return other;
    }
    return NULL;
}

/* A prediction knows least how much launches take of cores that fire processes meanwhile. */
static void warn_shared(struct dal_diags *diags, const struct dal_plan *plan)
{
    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = &plan->processes[i], *other = NULL;
        if (p->device && dal_plan_device_of(plan, p->processors[0]).is_cpu)
            other = find_beside(plan, p);
        if (!other)
            continue;
        dal_warning(
            diags, plan->spec->network.latencies[0].place, "latency",
            "processor '%s', which has '%s', is made of the cores that have '%s': what each "
            "takes of the other is not known well, and neither is the latency",
            p->processors[0]->processor->name, p->process->name, other->process->name);
        return;
    }
}

static int judge(struct dal_diags *diags, const struct dal_plan *plan,
                 const struct dal_prediction *prediction)
{
    int status = DAL_OK;
    for (size_t i = 0; i < prediction->path_count && prediction->paths[i].promise; i++)
        if (isinf(prediction->period_ns) || weigh_path(&prediction->paths[i]) > 1) {
            refuse_path(diags, plan, prediction, &prediction->paths[i]);
            status = DAL_ERR_INVALID;
        }
    return status;
}

int dal_promise_check(struct dal_diags *diags, const struct dal_plan *plan)
{
    struct dal_prediction prediction;
    int status;
    if (!plan->spec->network.latency_count)
        return DAL_OK;
    warn_nodes(diags, plan);
    if (!dal_predict_is_wanted(plan)) {
        warn_unknown(diags, plan, "the times of the processes");
        return DAL_OK;
    }
    status = dal_predict(plan, 1, &prediction);
    if (status == DAL_OK && prediction.unknown)
        warn_unknown(diags, plan, prediction.unknown);
    else if (status == DAL_OK)
        status = judge(diags, plan, &prediction);
    if (status == DAL_OK && !prediction.unknown)
        warn_shared(diags, plan);
    dal_prediction_finish(&prediction);
    return status;
}
