#include "synth/tune/predict/compare.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/table.h"
#include "synth/tune/predict/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times that differ by less than a factor MUCH count as equal, and parts of the time that differ by
 * less than MUCH_TIME. */
static const double MUCH = 1.2, MUCH_TIME = 0.1;
/* The least part of the time that is told, and that which counts as a long wait. */
static const double SOME_TIME = 0.05, LONG_WAIT = 0.2;

/* ---- times ----------------------------------------------------------------------------------- */

static struct dal_cell write_part(double part)
{
    return part >= 0 ? dal_cell_format("%.0f %%", 100 * part) : dal_cell_format("-");
}

/* The run of a process. Values < 0 are not known. */
struct view {
    double span_ns;               /* from its first firing to its last */
    double period_ns, planned_ns; /* of an iteration */
    double firing_ns, time_ns;    /* of a firing: in the run, and as it was measured before */
    double busy, planned_busy;    /* part of the time of one processor */
    double token_wait, space_wait;
    const struct dal_spec_channel *token_at, *space_at; /* where it waits longest */
};

/* A comparison in progress. */
struct work {
    const struct dal_comparison *c;
    int *units; /* by process number; processes that are fired or launched as one have the same */
};

/* Returns the position of the first process of its group; of a process alone, its own. */
static int unit_of(const struct dal_plan *plan, const int *turns, size_t position)
{
    const struct dal_plan_process *p = dal_plan_in_order(plan, position);
    size_t i;
    for (i = 0; i < position; i++) {
        const struct dal_plan_process *other = dal_plan_in_order(plan, i);
        if ((p->group && other->group == p->group) ||
            (!p->device && turns[position] >= 0 && turns[i] == turns[position]))
            break;
    }
    return (int)i;
}

static int begin_work(struct work *work, const struct dal_comparison *c)
{
    const struct dal_plan *plan = c->plan;
    int *turns = dal_calloc(plan->process_count + 1, sizeof(*turns));
    int status = turns ? dal_plan_turns(plan, turns) : DAL_ERR_NOMEM;
    work->c = c;
    work->units = dal_calloc(plan->process_count + 1, sizeof(*work->units));
    if (!work->units)
        status = DAL_ERR_NOMEM;
    for (size_t i = 0; status >= 0 && i < plan->process_count; i++)
        work->units[plan->order[i]] = unit_of(plan, turns, i);
    dal_free(turns);
    return status < 0 ? status : DAL_OK;
}

static int is_predicted(const struct dal_comparison *c)
{
    return c->prediction && !c->prediction->unknown && !isinf(c->prediction->period_ns);
}

/* Adds the waits, at channels that lead out, of a process and all that are fired with it as one.
 * Finds the channels with the longest waits. */
static void add_waits(const struct work *w, size_t number, struct view *v)
{
    double longest_token = 0, longest_space = 0;
    int unit = w->units[number];
    for (size_t i = 0; i < w->c->plan->channel_count; i++) {
        const struct dal_spec_channel *ch = w->c->plan->channels[i].channel;
        const struct dal_stats_channel *s = &w->c->stats->channels[i];
        double token = w->units[ch->consumer->number] == unit ? s->token_wait_ns : 0;
        double space = w->units[ch->producer->number] == unit ? s->space_wait_ns : 0;
        v->token_at = token > longest_token ? ch : v->token_at;
        v->space_at = space > longest_space ? ch : v->space_at;
        longest_token = token > longest_token ? token : longest_token;
        longest_space = space > longest_space ? space : longest_space;
        v->token_wait += token;
        v->space_wait += space;
    }
    v->token_wait = v->span_ns > 0 ? v->token_wait / v->span_ns : 0;
    v->space_wait = v->span_ns > 0 ? v->space_wait / v->span_ns : 0;
}

/* Waits before the first firing are no part of its time. */
static struct view look_at(const struct work *w, size_t number)
{
    const struct dal_comparison *c = w->c;
    const struct dal_plan_process *p = &c->plan->processes[number];
    const struct dal_stats_process *s = &c->stats->processes[number];
    double repetitions = (double)p->process->repetitions;
    struct view v = {.period_ns = -1, .planned_ns = -1, .firing_ns = -1, .busy = -1};
    v.span_ns = s->last_ns - s->first_ns;
    if (s->firings >= 2 && v.span_ns > 0 && !p->process->kpn)
        v.period_ns = v.span_ns * repetitions / s->firings;
    if (s->firings > 0)
        v.firing_ns = s->firing_ns / s->firings;
    if (v.span_ns > 0)
        v.busy = s->firing_ns / v.span_ns;
    v.time_ns = dal_model_launched(c->plan, p, s->curve);
    if (v.time_ns < 0)
        v.time_ns = dal_model_time(p);
    v.planned_busy = -1;
    if (is_predicted(c)) {
        v.planned_ns = c->prediction->period_ns;
        v.planned_busy = c->prediction->processes[number];
    }
    add_waits(w, number, &v);
    return v;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Finds the run's period of an iteration, in ns: the median of the processes' periods. 0 where no
 * process fired twice. */
static int find_period(const struct work *w, double *period_ns)
{
    double *periods = dal_calloc(w->c->plan->process_count + 1, sizeof(*periods));
    size_t count = 0;
    *period_ns = 0;
    if (!periods)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < w->c->plan->process_count; i++) {
        double period = look_at(w, i).period_ns;
        if (period > 0)
            periods[count++] = period;
    }
    qsort(periods, count, sizeof(*periods), compare_numbers);
    if (count)
        *period_ns = periods[count / 2];
    dal_free(periods);
    return DAL_OK;
}

/* ---- why ------------------------------------------------------------------------------------- */

/* Tells where a process waits. Time that both ends of a channel have waited for each other is due
 * to the way between them. */
static void blame_channel(struct dal_text *text, const struct work *w,
                          const struct dal_spec_channel *ch, double span_ns, const char *what)
{
    const struct dal_stats_channel *s = &w->c->stats->channels[ch->number];
    double both_ns = s->token_wait_ns < s->space_wait_ns ? s->token_wait_ns : s->space_wait_ns;
    if (both_ns >= LONG_WAIT * span_ns)
        dal_text_printf(text,
                        "%s and %s wait for each other at %s: a small capacity, or slow to wake",
                        ch->producer->name, ch->consumer->name, ch->name);
    else
        dal_text_printf(text, "it waits for %s %s", what, ch->name);
}

static void blame_waits(struct dal_text *text, const struct work *w, const struct view *v)
{
    if (v->space_wait >= LONG_WAIT && v->space_wait >= v->token_wait)
        blame_channel(text, w, v->space_at, v->span_ns, "space in");
    else if (v->token_wait >= LONG_WAIT)
        blame_channel(text, w, v->token_at, v->span_ns, "tokens of");
    else
        dal_text_add(text,
                     "no channel made it wait: its processor was at others, or slow to begin");
}

static int is_far(double measured, double predicted)
{
    return measured > MUCH * predicted || predicted > MUCH * measured;
}

/* Returns the most likely reason, NULL where it is the waits. */
static const char *find_reason(const struct dal_stats_process *s, const struct view *v)
{
    int counts = v->busy > SOME_TIME || v->planned_busy > SOME_TIME;
    if (s->on_other)
        return "it ran elsewhere than planned, from its fallback";
    if (s->firings < 2)
        return "it has hardly fired";
    if (s->is_stale)
        return "its source has changed since";
    if (v->planned_ns < 0)
        return "no prediction";
    if (counts && v->time_ns > 0 && v->firing_ns > MUCH * v->time_ns)
        return "its firings take longer than before: caches, memory, other programs";
    if (counts && v->time_ns > MUCH * v->firing_ns)
        return "its firings are shorter than before: other data or parameters";
    if (v->period_ns > 0 && is_far(v->period_ns, v->planned_ns) && v->period_ns > v->planned_ns)
        return NULL;
    if (v->busy + MUCH_TIME < v->planned_busy)
        return NULL;
    if (v->period_ns > 0 && is_far(v->period_ns, v->planned_ns))
        return "activations, launches or transfers cost less here";
    return "as predicted";
}

/* Tells the cause of a difference. If the run had another S, the cause begins with that. */
static void tell_cause(struct dal_text *text, const struct work *w,
                       const struct dal_plan_process *p, const struct view *v)
{
    const struct dal_stats_process *s = &w->c->stats->processes[p->process->number];
    double copies = p->shadow_copies ? p->shadow_copies : 1;
    const char *reason = find_reason(s, v);
    if (s->copies != copies)
        dal_text_printf(text, "S was %.0f, and is %.0f here; ", s->copies, copies);
    if (reason)
        dal_text_add(text, reason);
    else
        blame_waits(text, w, v);
}

/* ---- processes ------------------------------------------------------------------------------- */

static int print_processes(const struct work *w, FILE *out)
{
    const struct dal_plan *plan = w->c->plan;
    struct dal_text t = {0};
    dal_text_add(&t, "process\vperiod*\vpredicted\vfiring\vpredicted\vbusy\vpredicted\v"
                     "waits for tokens\vfor space\vwhy\n");
    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = dal_plan_in_order(plan, i);
        struct view v = look_at(w, p->process->number);
        dal_text_printf(&t, "%s\v%s\v%s\v%s\v%s\v%s\v%s\v%s\v%s\v", p->process->name,
                        dal_predict_ns(v.period_ns).text, dal_predict_ns(v.planned_ns).text,
                        dal_predict_ns(v.firing_ns).text, dal_predict_ns(v.time_ns).text,
                        write_part(v.busy).text, write_part(v.planned_busy).text,
                        write_part(v.token_wait).text, write_part(v.space_wait).text);
        tell_cause(&t, w, p, &v);
        dal_text_add(&t, "\n");
    }
    return dal_table_print(&t, out);
}

/* ---- channels -------------------------------------------------------------------------------- */

/* Returns the bytes of an iteration, from the bytes of the run. */
static double by_iteration(const struct dal_spec_channel *ch, const struct dal_stats_channel *s,
                           double bytes)
{
    double tokens = (double)ch->consumer->repetitions * (double)ch->rate_out;
    return s->tokens > 0 ? bytes * tokens / s->tokens : -1;
}

static struct dal_cell write_bytes(double bytes)
{
    return bytes >= 0 ? dal_cell_format("%.0f", bytes) : dal_cell_format("-");
}

/* Do the bytes differ by more than a channel holds? Tokens that are still in it, or wait in front
 * of it, were moved as well. */
static int is_more(const struct dal_spec_channel *ch, const struct dal_stats_channel *s,
                   double measured, double predicted)
{
    double slack = by_iteration(ch, s, 2 * s->capacity * (double)ch->token_bytes);
    return measured > 1.01 * predicted + slack || measured < 0.99 * predicted - slack;
}

static void tell_difference(struct dal_text *text, const struct dal_comparison *c, size_t number)
{
    const struct dal_plan_channel *ch = &c->plan->channels[number];
    const struct dal_stats_channel *s = &c->stats->channels[number];
    const struct dal_ledger_entry *entry = &c->ledger->channels[number];
    double copied = by_iteration(ch->channel, s, s->copied_bytes);
    if (!(s->tokens > 0))
        dal_text_add(text, "nothing went through it");
    else if (strcmp(s->kind, dal_channel_traits(ch->kind)->name) != 0)
        dal_text_printf(text, "it was %s: a device is not as the architecture says, or was missing",
                        s->kind);
    else if (entry->is_known && is_more(ch->channel, s, copied, entry->copied))
        dal_text_printf(text, "%.0f bytes %s copied than predicted", fabs(copied - entry->copied),
                        copied > entry->copied ? "more" : "less");
    else if (s->capacity != (double)ch->capacity)
        dal_text_printf(text, "its capacity was %.0f, and is %" PRIu64 " here", s->capacity,
                        ch->capacity);
    else
        dal_text_add(text, "as predicted");
}

static int print_channels(const struct dal_comparison *c, FILE *out)
{
    struct dal_text t = {0};
    dal_text_add(&t, "channel\vkind\vcopied*\vpredicted\vin place*\vpredicted\v"
                     "to other nodes*\vpredicted\vwhy\n");
    for (size_t i = 0; i < c->plan->channel_count; i++) {
        const struct dal_spec_channel *ch = c->plan->channels[i].channel;
        const struct dal_stats_channel *s = &c->stats->channels[i];
        const struct dal_ledger_entry *entry = &c->ledger->channels[i];
        const double bytes[] = {by_iteration(ch, s, s->copied_bytes),   entry->copied,
                                by_iteration(ch, s, s->in_place_bytes), entry->in_place,
                                by_iteration(ch, s, s->sent_bytes),     entry->sent};
        dal_text_printf(&t, "%s\v%s\v", ch->name, s->kind);
        for (size_t k = 0; k < sizeof(bytes) / sizeof(bytes[0]); k++)
            dal_text_printf(&t, "%s\v", write_bytes(entry->is_known ? bytes[k] : -1).text);
        tell_difference(&t, c, i);
        dal_text_add(&t, "\n");
    }
    return dal_table_print(&t, out);
}

/* ---- latencies ------------------------------------------------------------------------------- */

static size_t count_latencies(const struct dal_comparison *c)
{
    size_t count = 0;
    for (size_t i = 0; i < c->plan->spec->network.latency_count; i++)
        count += c->stats->latencies[i].iterations > 0;
    return count;
}

/* Latencies that are promised are the first paths of a prediction. */
static int print_latencies(const struct dal_comparison *c, FILE *out)
{
    const struct dal_spec_network *network = &c->plan->spec->network;
    struct dal_text t = {0};
    dal_text_add(&t, "latency\vmedian\v99 % within\vlongest\vpredicted\vpromised\vmisses\n");
    for (size_t i = 0; i < network->latency_count; i++) {
        const struct dal_spec_latency *latency = &network->latencies[i];
        const struct dal_stats_latency *s = &c->stats->latencies[i];
        double predicted_ns = is_predicted(c) ? c->prediction->paths[i].most_ns : 0;
        if (s->iterations > 0)
            dal_text_printf(&t, "%s to %s\v%s\v%s\v%s\v%s\v%s\v%.0f of %.0f\n", latency->from->name,
                            latency->to->name, dal_predict_ns(s->p50_ns).text,
                            dal_predict_ns(s->p99_ns).text, dal_predict_ns(s->max_ns).text,
                            dal_predict_ns(predicted_ns).text,
                            dal_predict_ns((double)latency->max_ns).text, s->misses, s->iterations);
    }
    return dal_table_print(&t, out);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void print_period(const struct dal_comparison *c, double period_ns, FILE *out)
{
    struct dal_cell measured = dal_predict_ns(period_ns);
    double predicted_ns = is_predicted(c) ? c->prediction->period_ns : 0;
    double part = predicted_ns > 0 ? period_ns / predicted_ns - 1 : 0;
    if (!(period_ns > 0))
        fprintf(out, "measured: no process fired twice\n");
    else if (predicted_ns > 0)
        fprintf(out, "measured: %s an iteration, %.1f %% %s than predicted\n", measured.text,
                100 * fabs(part), part < 0 ? "shorter" : "longer");
    else
        fprintf(out, "measured: %s an iteration\n", measured.text);
}

/* Prints the process whose firings took most of the additional or the saved time, by iteration. */
static void print_most(const struct work *w, double period_ns, FILE *out)
{
    const struct dal_comparison *c = w->c;
    double most_ns = 0, all_ns = is_predicted(c) ? period_ns - c->prediction->period_ns : 0;
    const struct dal_spec_process *who = NULL;
    for (size_t i = 0; i < c->plan->process_count; i++) {
        const struct dal_plan_process *p = &c->plan->processes[i];
        struct view v = look_at(w, i);
        double more_ns = (v.firing_ns - v.time_ns) * (double)p->process->repetitions;
        if (v.firing_ns < 0 || v.time_ns < 0 || fabs(more_ns) <= fabs(most_ns))
            continue;
        most_ns = more_ns;
        who = p->process;
    }
    if (who && all_ns * most_ns > 0 && fabs(most_ns) > 0.3 * fabs(all_ns))
        fprintf(out, "the most of that: firings of %s, which take %s an iteration %s\n", who->name,
                dal_predict_ns(fabs(most_ns)).text, most_ns > 0 ? "more" : "less");
}

static int print_all(const struct work *w, FILE *out)
{
    double period_ns;
    int status = find_period(w, &period_ns);
    if (status < 0)
        return status;
    print_period(w->c, period_ns, out);
    print_most(w, period_ns, out);
    fputc('\n', out);
    status = print_processes(w, out);
    fputc('\n', out);
    if (status == DAL_OK && count_latencies(w->c) > 0) {
        status = print_latencies(w->c, out);
        fputc('\n', out);
    }
    if (status == DAL_OK)
        status = print_channels(w->c, out);
    fprintf(out, "\n* an iteration: time between two, or bytes\n");
    return status;
}

int dal_compare_print(const struct dal_comparison *c, FILE *out)
{
    struct work work = {0};
    int status = begin_work(&work, c);
    if (status == DAL_OK)
        status = print_all(&work, out);
    dal_free(work.units);
    return status;
}
