#include "synth/predict/predict.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/predict/model.h"
#include "synth/table.h"

#include <inttypes.h>
#include <math.h>

/* Events that a prediction may look at, for each process and at least. */
#define EVENTS_A_PROCESS UINT64_C(20000)
#define LEAST_EVENTS     UINT64_C(2000000)
/* From which part of the time on a processor, or a process on all of its cores, has no rest. */
static const double NO_REST = 0.97;

const struct dal_predict_costs dal_predict_usual = {.activation_ns = 20,
                                                    .token_ns = 150,
                                                    .launch_ns = 4000,
                                                    .cpu_launch_ns = 20000,
                                                    .batch_ns = 10000,
                                                    .transfer_ns = 10000,
                                                    .transfer_bps = 12e9,
                                                    .message_ns = 20000,
                                                    .message_bps = 2e9};

int dal_predict_is_wanted(const struct dal_plan *plan)
{
    size_t i;

    for (i = 0; i < plan->process_count; i++)
        if (dal_model_time(&plan->processes[i]) >= 0)
            return 1;
    return 0;
}

/* Names of processes of which nobody has measured the time, or whose rates vary; NULL text: none.
 */
static int list_unknown(const struct dal_plan *plan, struct dal_text *text)
{
    size_t i, count = 0;

    for (i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = &plan->processes[plan->order[i]];
        if (!p->process->kpn && dal_model_time(p) >= 0)
            continue;
        dal_text_printf(text, "%s%s", count++ ? ", " : "", p->process->name);
        if (p->process->kpn)
            dal_text_add(text, " (its rates vary)");
    }
    return count > 0;
}

/* ---- what holds it up ------------------------------------------------------------------------ */

static size_t busiest(const double *parts, size_t count)
{
    size_t i, most = 0;

    for (i = 1; i < count; i++)
        most = parts[i] > parts[most] ? i : most;
    return most;
}

/* A server behind the processors belongs to one of them. */
static char *name_server(const struct dal_model *m, size_t server)
{
    static const char *const kinds[] = {"downloads from", "uploads to",
                                        "messages from the node of"};
    size_t count = m->plan->processor_count, kind_count = sizeof(kinds) / sizeof(kinds[0]);
    size_t way = server < count ? 0 : server - count;

    if (server < count)
        return dal_strdup(m->plan->processors[server].processor->name);
    return dal_format("%s %s", kinds[way % kind_count],
                      m->plan->processors[way / kind_count].processor->name);
}

/* The process whose copies never rest though processors do; NULL without one. */
static const struct dal_plan_process *find_tied(const struct dal_model *m,
                                                const struct dal_sim_result *result)
{
    size_t i;

    for (i = 0; i < m->plan->process_count; i++) {
        size_t actor = m->actor_of[i];
        if (result->actor_busy[actor] > NO_REST * (double)m->actors[actor].copies)
            return &m->plan->processes[i];
    }
    return NULL;
}

/* The busiest server but one. */
static double find_next(const struct dal_model *m, const struct dal_sim_result *result,
                        size_t server)
{
    double most = 0;
    size_t i;

    for (i = 0; i < m->server_count; i++)
        if (i != server && result->server_busy[i] > most)
            most = result->server_busy[i];
    return most;
}

static char *limit_by_server(const struct dal_model *m, size_t server, struct dal_prediction *p)
{
    size_t count = m->plan->processor_count;

    p->limit_kind = server < count ? DAL_LIMIT_PROCESSOR : DAL_LIMIT_WAY;
    p->limit_of = server < count ? server : (server - count) / (m->server_count / count - 1);
    return name_server(m, server);
}

static char *find_limit(const struct dal_model *m, const struct dal_sim_result *result,
                        struct dal_prediction *p)
{
    size_t server = busiest(result->server_busy, m->server_count);
    const struct dal_plan_process *tied;

    p->limit_kind = DAL_LIMIT_DEADLOCK;
    if (isinf(result->period_ns))
        return dal_strdup("a deadlock");
    p->next_busy = find_next(m, result, server);
    if (m->server_count && result->server_busy[server] > NO_REST)
        return limit_by_server(m, server, p);
    p->next_busy = m->server_count ? result->server_busy[server] : 0;
    tied = find_tied(m, result);
    p->limit_kind = tied ? DAL_LIMIT_PROCESS : DAL_LIMIT_ROOM;
    p->limit_of = tied ? tied->process->number : 0;
    if (tied)
        return dal_format("%s, which fires %" PRIu64 " times at once", tied->process->name,
                          m->actors[m->actor_of[tied->process->number]].copies);
    return dal_strdup("capacities, cycles, and the time that tokens are on their way");
}

/* ---- the prediction -------------------------------------------------------------------------- */

/* What is one process's of an actor's time: as its firings take of one of the actor's. */
static double part_of(const struct dal_model *m, const struct dal_sim_result *result,
                      size_t process)
{
    size_t actor = m->actor_of[process];
    double own = m->time_of[process] * (double)m->round_of[process];
    double all = m->actors[actor].firing_ns;

    return all > 0 ? result->actor_busy[actor] * own / all : result->actor_busy[actor];
}

static double fill_of(const struct dal_model *m, const struct dal_sim_result *result,
                      size_t channel)
{
    double tokens = 0;
    size_t i;

    for (i = 0; m->first_of[channel] != SIZE_MAX && i < m->count_of[channel]; i++)
        tokens += result->channel_fill[m->first_of[channel] + i];
    return tokens;
}

static int take_over(const struct dal_model *m, const struct dal_sim_result *result,
                     struct dal_prediction *p)
{
    const struct dal_plan *plan = m->plan;
    size_t i;

    p->period_ns = result->period_ns;
    p->settled = result->settled;
    p->limit = find_limit(m, result, p);
    p->processors = dal_calloc(plan->processor_count + 1, sizeof(*p->processors));
    p->processes = dal_calloc(plan->process_count + 1, sizeof(*p->processes));
    p->channels = dal_calloc(plan->channel_count + 1, sizeof(*p->channels));
    if (!p->limit || !p->processors || !p->processes || !p->channels)
        return DAL_ERR_NOMEM;
    for (i = 0; i < plan->processor_count; i++)
        p->processors[i] = result->server_busy[i];
    for (i = 0; i < plan->process_count; i++)
        p->processes[i] = part_of(m, result, i);
    for (i = 0; i < plan->channel_count; i++)
        p->channels[i] = fill_of(m, result, i);
    return DAL_OK;
}

static int run_model(const struct dal_model *m, struct dal_prediction *prediction)
{
    uint64_t events = EVENTS_A_PROCESS * m->actor_count;
    struct dal_sim sim = {.actors = m->actors,
                          .actor_count = m->actor_count,
                          .channels = m->channels,
                          .channel_count = m->channel_count,
                          .server_count = m->server_count,
                          .events = events > LEAST_EVENTS ? events : LEAST_EVENTS};
    struct dal_sim_result result;
    int status = dal_sim_run(&sim, &result);

    if (status == DAL_OK)
        status = take_over(m, &result, prediction);
    dal_sim_finish(&result);
    return status;
}

int dal_predict(const struct dal_plan *plan, const struct dal_predict_costs *costs,
                struct dal_prediction *prediction)
{
    struct dal_text unknown = {0};
    struct dal_model model;
    int status;

    *prediction = (struct dal_prediction){0};
    if (list_unknown(plan, &unknown)) {
        prediction->unknown = dal_text_take(&unknown);
        return prediction->unknown ? DAL_OK : DAL_ERR_NOMEM;
    }
    status = dal_model_make(&model, plan, costs);
    if (status == DAL_OK)
        status = run_model(&model, prediction);
    dal_model_finish(&model);
    return status;
}

void dal_prediction_finish(struct dal_prediction *prediction)
{
    dal_free(prediction->unknown);
    dal_free(prediction->limit);
    dal_free(prediction->processors);
    dal_free(prediction->processes);
    dal_free(prediction->channels);
    *prediction = (struct dal_prediction){0};
}

/* ---- for people ------------------------------------------------------------------------------ */

char *dal_predict_write_ns(double ns)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    size_t unit = 0;

    if (!(ns > 0))
        return dal_strdup("-");
    for (; ns >= 1000 && unit < 3; unit++)
        ns /= 1000;
    return dal_format("%.4g %s", ns, units[unit]);
}

static int print_period(const struct dal_prediction *p, FILE *out)
{
    char *period = dal_predict_write_ns(p->period_ns);

    if (!period)
        return DAL_ERR_NOMEM;
    fprintf(out, "predicted: %s an iteration, %.4g iterations/s%s; what limits it: %s\n\n", period,
            1e9 / p->period_ns, p->settled ? "" : " (not settled)", p->limit);
    dal_free(period);
    return DAL_OK;
}

static int is_bound_to(const struct dal_plan_process *p, const struct dal_plan_processor *processor)
{
    size_t i;

    for (i = 0; i < p->processor_count; i++)
        if (p->processors[i] == processor)
            return 1;
    return 0;
}

/* A process of several is named at each, with its part of one of them. */
static char *list_parts(const struct dal_plan *plan, const struct dal_prediction *prediction,
                        const struct dal_plan_processor *processor)
{
    struct dal_text text = {0};
    size_t i;

    for (i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = &plan->processes[plan->order[i]];
        if (is_bound_to(p, processor))
            dal_text_printf(&text, "%s%s %.0f %%%s", text.length ? ", " : "", p->process->name,
                            100 * prediction->processes[p->process->number],
                            p->processor_count > 1 ? " of one" : "");
    }
    return dal_text_take(&text);
}

static int print_processors(const struct dal_plan *plan, const struct dal_prediction *prediction,
                            FILE *out)
{
    static const char *const titles[] = {"processor", "busy", "with"};
    struct dal_table t = {0};
    size_t i;

    dal_table_titles(&t, titles, sizeof(titles) / sizeof(titles[0]));
    for (i = 0; i < plan->processor_count; i++) {
        dal_table_add(&t, dal_strdup(plan->processors[i].processor->name));
        dal_table_add(&t, dal_format("%.0f %%", 100 * prediction->processors[i]));
        dal_table_add(&t, list_parts(plan, prediction, &plan->processors[i]));
    }
    return dal_table_print(&t, out);
}

static int print_channels(const struct dal_plan *plan, const struct dal_prediction *prediction,
                          FILE *out)
{
    static const char *const titles[] = {"channel", "tokens in it", "of"};
    struct dal_table t = {0};
    size_t i;

    dal_table_titles(&t, titles, sizeof(titles) / sizeof(titles[0]));
    for (i = 0; i < plan->channel_count; i++) {
        const struct dal_plan_channel *ch = &plan->channels[i];
        dal_table_add(&t, dal_strdup(ch->channel->name));
        dal_table_add(&t, dal_format("%.1f", prediction->channels[i]));
        dal_table_add(&t, dal_format("%" PRIu64, ch->capacity));
    }
    return dal_table_print(&t, out);
}

int dal_prediction_print(const struct dal_plan *plan, const struct dal_prediction *prediction,
                         FILE *out)
{
    int status;

    if (prediction->unknown) {
        fprintf(out, "no prediction: the times of these are not known: %s\n", prediction->unknown);
        return DAL_OK;
    }
    status = print_period(prediction, out);
    if (status == DAL_OK)
        status = print_processors(plan, prediction, out);
    fputc('\n', out);
    return status == DAL_OK ? print_channels(plan, prediction, out) : status;
}
