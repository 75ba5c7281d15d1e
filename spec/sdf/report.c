#include "spec/sdf/report.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"

#include <string.h>

/* Of the time, what the period at best may take. */
#define PERIOD_SHARE 0.75

static int find_given(struct dal_sdf_report *report)
{
    const struct dal_sdf_graph *graph = &report->graph;
    report->given = dal_calloc(graph->channel_count + 1, sizeof(*report->given));
    report->all_given = 1;
    for (size_t i = 0; report->given && i < graph->channel_count; i++) {
        const struct dal_sdf_channel *channel = &graph->channels[i];
        report->given[i] = channel->given ? channel->given : DAL_SDF_UNLIMITED;
        report->all_given &= channel->given || dal_sdf_is_loop(channel);
    }
    return report->given ? DAL_OK : DAL_ERR_NOMEM;
}

/* Chooses the time: periods of large graphs are found in seconds, and smallest capacities hardly
 * ever. */
static double seconds_of(const struct dal_sdf_wishes *wishes, const struct dal_sdf_graph *graph)
{
    uint64_t firings = 0;
    for (size_t i = 0; i < graph->process_count && firings <= DAL_SDF_LARGE; i++) {
        const struct dal_sdf_process *p = &graph->processes[i];
        uint64_t phases = p->phases ? p->phases : 1;
        firings += p->repetitions > DAL_SDF_LARGE ? p->repetitions : p->repetitions * phases;
    }
    if (wishes->seconds > 0)
        return wishes->seconds;
    return firings > DAL_SDF_LARGE ? DAL_SDF_LARGE_SECONDS : DAL_SDF_SECONDS;
}

/* Executes an iteration; a deadlock's message goes to diags as well. */
static int find_deadlock(struct dal_diags *diags, const struct dal_sdf_wishes *wishes,
                         struct dal_sdf_report *report)
{
    double seconds = seconds_of(wishes, &report->graph) / 4;
    struct dal_sdf_budget budget = {.deadline_ns = dal_now_ns() + (int64_t)(seconds * 1e9) + 1,
                                    .work = UINT64_MAX,
                                    .progress = wishes->progress,
                                    .what = "a way out of the deadlock"};
    int status = dal_sdf_deadlock_find(&report->deadlock, &report->graph, report->given, &budget,
                                       &report->live_known);
    if (!status && report->deadlock.dead)
        dal_sdf_deadlock_tell(diags, &report->graph, report->given, &report->deadlock);
    return status;
}

static int has_sizes(const struct dal_sdf_report *report)
{
    size_t i = 0;
    while (i < report->graph.channel_count && report->given[i] == DAL_SDF_UNLIMITED)
        i++;
    return i < report->graph.channel_count;
}

/* Searches one after another, each with its part of the time. */
struct searches {
    struct dal_diags *diags;
    const struct dal_sdf_wishes *wishes;
    struct dal_sdf_report *report;
    double seconds;
    int64_t start_ns;
    uint64_t *fixed, *weight;
    struct dal_sdf_budget budget;
    struct dal_sdf_sizing sizing;
};

/* Returns a budget up to `share` of the time. */
static struct dal_sdf_budget *allow_until(struct searches *s, double share, const char *what)
{
    s->budget = (struct dal_sdf_budget){
        .deadline_ns = s->start_ns + (int64_t)(s->seconds * share * 1e9) + 1,
        .work = UINT64_MAX,
        .progress = s->wishes->progress,
        .what = what,
    };
    return &s->budget;
}

/* Finds the periods first: most users ask for them. By default that at best has a minute even for a
 * large graph; the other searches share what is left. */
static int find_periods(struct searches *s)
{
    struct dal_sdf_report *report = s->report;
    double seconds = s->seconds, spent;
    int status;
    if (s->wishes->seconds <= 0)
        s->seconds = DAL_SDF_SECONDS / PERIOD_SHARE;
    allow_until(s, PERIOD_SHARE, "least period");
    status = dal_sdf_unlimited(&s->sizing, &report->unbounded);
    s->sizing.unlimited = &report->unbounded;
    report->given_period.verdict = DAL_SDF_UNKNOWN;
    if (report->all_given && !status) {
        allow_until(s, 0.9, "period with the given sizes");
        status = dal_sdf_period(&report->graph, report->given, &s->budget, &report->given_period);
    }
    spent = (double)(dal_now_ns() - s->start_ns) / 1e9;
    s->seconds = spent < PERIOD_SHARE * seconds ? seconds - spent : (1 - PERIOD_SHARE) * seconds;
    s->start_ns = dal_now_ns();
    return status;
}

/* Without sizes, what has a period has no deadlock. */
static int find_liveness(struct searches *s)
{
    struct dal_sdf_report *report = s->report;
    enum dal_sdf_verdict verdict = report->unbounded.verdict;
    if (has_sizes(report))
        return DAL_OK;
    report->live_known = verdict == DAL_SDF_PERIODIC || verdict == DAL_SDF_UNBOUNDED;
    return report->live_known ? DAL_OK : find_deadlock(s->diags, s->wishes, report);
}

static int find_minimum(struct searches *s)
{
    struct dal_sdf_report *report = s->report;
    int status;
    allow_until(s, 0.25, "minimum capacities");
    status = dal_sdf_minimum(&s->sizing, &report->minimum);
    if (status || !report->minimum.found)
        return status;
    allow_until(s, 0.3, "period with minimum capacities");
    return dal_sdf_period(&report->graph, report->minimum.capacity, &s->budget,
                          &report->minimum.period);
}

static int find_fastest(struct searches *s)
{
    allow_until(s, s->wishes->pareto ? 0.6 : 0.95, "fastest capacities");
    return dal_sdf_fastest(&s->sizing, &s->report->fastest);
}

/* Of several capacities with the fewest tokens, the front has the fastest: these are the minimum.
 */
static void take_first_point(struct dal_sdf_report *report)
{
    const struct dal_sdf_buffers *first = report->front.points;
    struct dal_sdf_buffers *minimum = &report->minimum;
    if (!report->front.count || first->total > minimum->total ||
        (first->total == minimum->total && dal_sdf_compare(first->period, minimum->period) >= 0))
        return;
    memcpy(minimum->capacity, first->capacity,
           report->graph.channel_count * sizeof(*first->capacity));
    minimum->total = first->total;
    minimum->least = first->least;
    minimum->period = first->period;
}

static int find_front(struct searches *s)
{
    struct dal_sdf_report *report = s->report;
    int status;
    if (!s->wishes->pareto)
        return DAL_OK;
    report->with_front = 1;
    allow_until(s, 0.95, "trade-off points");
    status = dal_sdf_pareto(&s->sizing, &report->minimum, report->fastest.period, &report->front);
    if (!status)
        take_first_point(report);
    return status;
}

static int find_latency(struct searches *s)
{
    struct dal_sdf_report *report = s->report;
    const struct dal_sdf_buffers *with =
        report->fastest.found ? &report->fastest : &report->minimum;
    if (!with->found)
        return DAL_OK;
    allow_until(s, 1, "latency");
    return dal_sdf_latency(&report->graph, with->capacity, &s->budget, &report->latency,
                           &report->has_latency);
}

static int search_all(struct dal_diags *diags, const struct dal_sdf_wishes *wishes,
                      int64_t start_ns, struct dal_sdf_report *report)
{
    static int (*const steps[])(struct searches *) = {find_periods, find_liveness, find_minimum,
                                                      find_fastest, find_front,    find_latency};
    size_t channels = report->graph.channel_count, count;
    struct searches s = {
        .diags = diags,
        .wishes = wishes,
        .report = report,
        .seconds = seconds_of(wishes, &report->graph),
        .start_ns = start_ns,
        .fixed = dal_calloc(channels + 1, sizeof(*s.fixed)),
        .weight = dal_calloc(channels + 1, sizeof(*s.weight)),
    };
    int status = s.fixed && s.weight ? DAL_OK : DAL_ERR_NOMEM;
    s.sizing = (struct dal_sdf_sizing){
        .graph = &report->graph, .fixed = s.fixed, .weight = s.weight, .budget = &s.budget};
    for (size_t i = 0; i < channels && !status; i++) {
        s.weight[i] = 1;
        if (!dal_sdf_is_counted(&report->graph, report->graph.channels[i].first_of_port) &&
            report->given[i] != DAL_SDF_UNLIMITED)
            s.fixed[i] = report->given[i];
    }
    count = wishes->periods_alone ? 2 : sizeof(steps) / sizeof(steps[0]);
    for (size_t i = 0; i < count && !status && !report->deadlock.dead; i++)
        status = steps[i](&s);
    dal_free_all(s.fixed, s.weight);
    return status;
}

int dal_sdf_report_make(struct dal_diags *diags, const struct dal_sdf_wishes *wishes,
                        struct dal_sdf_report *report)
{
    int64_t start_ns = dal_now_ns();
    int status = dal_sdf_repetitions(diags, &report->graph, &report->contradiction);
    if (diags->lost)
        return DAL_ERR_NOMEM;
    if (status)
        return report->contradiction.steps ? DAL_OK : DAL_ERR_INVALID;
    report->consistent = 1;
    report->overlap = wishes->overlap;
    for (size_t i = 0; i < report->graph.process_count && report->overlap; i++) {
        struct dal_sdf_process *process = &report->graph.processes[i];
        process->at_once = report->overlap[process->origin].at_once;
    }
    if (find_given(report))
        return DAL_ERR_NOMEM;
    status = has_sizes(report) ? find_deadlock(diags, wishes, report) : DAL_OK;
    if (!status && !report->deadlock.dead)
        status = search_all(diags, wishes, start_ns, report);
    return status;
}

/* Returns how many firings can be under way for `amount` at an end; with phases, at best. */
static uint64_t most_at_end(const struct dal_sdf_end *end, uint64_t phases, uint64_t amount)
{
    uint64_t most = 0;
    if (end->phases.count == 0)
        return amount / end->rate;
    for (uint64_t first = 0; first < end->phases.count; first++) {
        uint64_t left = amount % end->rate, count = 0;
        while (count < phases && dal_sdf_end_rate(end, first + count) <= left)
            left -= dal_sdf_end_rate(end, first + count++);
        most = count > most ? count : most;
    }
    return amount / end->rate * phases + most;
}

struct dal_sdf_overlap dal_sdf_report_overlap(const struct dal_sdf_report *report, size_t process)
{
    const struct dal_sdf_process *p = &report->graph.processes[process];
    struct dal_sdf_overlap overlap = {0};
    if (report->overlap)
        overlap = report->overlap[p->origin];
    for (size_t i = 0; i < p->count; i++) {
        const struct dal_sdf_end *end = &report->graph.ends[p->first + i];
        const struct dal_sdf_channel *c = &report->graph.channels[end->channel];
        uint64_t given = report->given[end->channel], tokens = c->initial_tokens;
        uint64_t space = given > tokens ? given - tokens : 0;
        uint64_t most = most_at_end(end, p->phases, end->output ? space : tokens);
        int is_limited = overlap.at_once || overlap.why == DAL_SDF_LOOP;
        if (!dal_sdf_is_loop(c) || (is_limited && overlap.at_once <= most))
            continue;
        overlap = (struct dal_sdf_overlap){.at_once = most, .why = DAL_SDF_LOOP};
    }
    return overlap;
}

void dal_sdf_report_finish(struct dal_sdf_report *report)
{
    dal_sdf_contradiction_finish(&report->contradiction);
    dal_sdf_graph_finish(&report->graph);
    dal_sdf_deadlock_finish(&report->deadlock);
    dal_sdf_buffers_finish(&report->minimum);
    dal_sdf_buffers_finish(&report->fastest);
    dal_sdf_front_finish(&report->front);
    dal_free(report->given);
    *report = (struct dal_sdf_report){0};
}
