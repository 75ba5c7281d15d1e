#include "spec/sdf/time.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "spec/sdf/engine.h"
#include "spec/sdf/kperiodic.h"
#include "spec/sdf/maxplus.h"

#include <string.h>

/* Most channel ends that an execution may look at before a way round it is tried: some tenths of a
 * second. */
#define MAX_FIRST_WORK ((uint64_t)1 << 23)
/* What a look at a channel end takes while the slowest cycle is searched, in those of iterations.
 */
#define CYCLE_WORK 128

/* Compares by continued fractions: no product is ever made. */
static int compare_fractions(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    int sign = 1;
    while (a / b == c / d) {
        uint64_t left = a % b, right = c % d;
        if (left == 0 || right == 0)
            return sign * ((left != 0) - (right != 0));
        a = b;
        b = left;
        c = d;
        d = right;
        sign = -sign;
    }
    return a / b > c / d ? sign : -sign;
}

int dal_sdf_compare(struct dal_sdf_period a, struct dal_sdf_period b)
{
    static const int ranks[] = {[DAL_SDF_UNBOUNDED] = 0,
                                [DAL_SDF_PERIODIC] = 1,
                                [DAL_SDF_DEADLOCK] = 2,
                                [DAL_SDF_UNKNOWN] = 2};
    if (ranks[a.verdict] != ranks[b.verdict] || a.verdict != DAL_SDF_PERIODIC)
        return (ranks[a.verdict] > ranks[b.verdict]) - (ranks[a.verdict] < ranks[b.verdict]);
    return compare_fractions(a.over, a.under, b.over, b.under);
}

/* The state */

static void put_number(struct dal_sdf_engine *engine, uint64_t value)
{
    struct dal__state *state = &engine->states[0];
    if (dal_grow(&state->numbers, state->count, &state->room, sizeof(value))) {
        engine->lost = engine->budget->expired = 1;
        return;
    }
    state->numbers[state->count++] = value;
}

static void write_state(struct dal_sdf_engine *engine)
{
    const struct dal_sdf_graph *graph = engine->graph;
    engine->states[0].count = 0;
    for (size_t i = 0; i < graph->channel_count; i++)
        put_number(engine, engine->tokens[i]);
    for (size_t i = 0; i < graph->process_count; i++) {
        const struct dal__flights *flights = &engine->flights[i];
        put_number(engine, flights->count);
        if (dal_sdf_is_cyclic(&graph->processes[i]))
            put_number(engine, engine->started[i]);
        for (size_t k = 0; k < flights->count; k++) {
            const struct dal__flight *flight =
                &flights->ring[(flights->head + k) & (flights->room - 1)];
            put_number(engine, flight->end - engine->now);
            put_number(engine, flight->count);
        }
    }
    dal_sdf_spend(engine->budget, engine->states[0].count / 4);
}

static int is_saved_state(const struct dal_sdf_engine *engine)
{
    const struct dal__state *now = &engine->states[0], *saved = &engine->states[1];
    return now->count == saved->count &&
           !memcmp(now->numbers, saved->numbers, now->count * sizeof(*now->numbers));
}

static void save_state(struct dal_sdf_engine *engine)
{
    struct dal__state state = engine->states[1];
    engine->states[1] = engine->states[0];
    engine->states[0] = state;
    memset(engine->waited, 0, engine->graph->channel_count);
}

/* Returns the period when the state recurs after `time` and `fired` firings of a process that has
 * `each` in an iteration: time * each / fired. A part alone may recur within an iteration of the
 * whole. */
static struct dal_sdf_period measure_period(struct dal_sdf_engine *engine, uint64_t time,
                                            uint64_t fired)
{
    uint64_t each = dal_sdf_firings(&engine->graph->processes[0]), common = dal_gcd(each, fired);
    struct dal_sdf_period period = {.verdict = DAL_SDF_PERIODIC, .under = fired / common};
    if (time == 0)
        return (struct dal_sdf_period){.verdict = DAL_SDF_UNBOUNDED};
    each /= common;
    common = dal_gcd(time, period.under);
    period.under /= common;
    if (!__builtin_mul_overflow(time / common, each, &period.over))
        return period;
    engine->budget->expired = 1;
    return (struct dal_sdf_period){.verdict = DAL_SDF_UNKNOWN};
}

/* Is it a process without channels whose firings are all alike? */
static int is_alone(const struct dal_sdf_graph *graph)
{
    return graph->channel_count == 0 &&
           (graph->process_count == 0 || graph->processes[0].at_once == 0 ||
            !dal_sdf_is_cyclic(&graph->processes[0]));
}

static struct dal_sdf_period period_alone(struct dal_sdf_engine *engine,
                                          struct dal_sdf_budget *budget)
{
    const struct dal_sdf_process *process = engine->graph->processes;
    engine->budget = budget;
    if (engine->graph->process_count == 0 || process->at_once == 0)
        return (struct dal_sdf_period){.verdict = DAL_SDF_UNBOUNDED};
    return measure_period(engine, process->time, process->at_once);
}

/* Looks at the state once an iteration and compares it with one that is kept; that one is replaced
 * after 1, 2, 4, ... comparisons (Brent 1980), so that it is in the periodic phase at last. */
static struct dal_sdf_period find_period(struct dal_sdf_engine *engine)
{
    uint64_t each = dal_sdf_firings(&engine->graph->processes[0]), seen = engine->fired / each;
    uint64_t saved_now = engine->now, saved_fired = engine->fired, compared = 0, most = 1;
    write_state(engine);
    save_state(engine);
    while (!engine->budget->expired && dal__engine_step(engine)) {
        if (engine->fired / each == seen)
            continue;
        seen = engine->fired / each;
        write_state(engine);
        if (engine->fired > saved_fired && is_saved_state(engine))
            return measure_period(engine, engine->now - saved_now, engine->fired - saved_fired);
        if (++compared < most)
            continue;
        save_state(engine);
        saved_now = engine->now;
        saved_fired = engine->fired;
        most *= 2;
        compared = 0;
    }
    if (engine->budget->expired) {
        memset(engine->waited, 0, engine->graph->channel_count);
        return (struct dal_sdf_period){.verdict = DAL_SDF_UNKNOWN};
    }
    memcpy(engine->waited, engine->lacks, engine->graph->channel_count);
    return (struct dal_sdf_period){.verdict = DAL_SDF_DEADLOCK};
}

/* A wait for space matters where it is part of a cycle of waits. */
static int find_tight_waits(const struct dal_sdf_engine *engine, unsigned char *tight)
{
    const struct dal_sdf_graph *graph = engine->graph;
    struct dal__edge *edges = dal_calloc(2 * graph->channel_count + 1, sizeof(*edges));
    size_t *component = dal_calloc(graph->process_count + 1, sizeof(*component)), count = 0, parts;
    int status = edges && component ? DAL_OK : DAL_ERR_NOMEM;
    for (size_t i = 0; i < graph->channel_count && !status; i++) {
        const struct dal_sdf_channel *channel = &graph->channels[i];
        if (engine->waited[i] & DAL__LACKS_TOKENS)
            edges[count++] = (struct dal__edge){.from = channel->producer, .to = channel->consumer};
        if (engine->waited[i] & DAL__LACKS_SPACE)
            edges[count++] = (struct dal__edge){.from = channel->consumer, .to = channel->producer};
    }
    if (!status)
        status = dal__strong(graph->process_count, edges, count, component, &parts);
    for (size_t i = 0; i < graph->channel_count && !status; i++) {
        const struct dal_sdf_channel *channel = &graph->channels[i];
        if (engine->waited[i] & DAL__LACKS_SPACE &&
            component[channel->producer] == component[channel->consumer])
            tight[channel->number] = 1;
    }
    dal_free_all(edges, component);
    return status;
}

int dal_sdf_engine_tight(const struct dal_sdf_engine *engine, unsigned char *tight)
{
    const struct dal_sdf_graph *graph = engine->graph;
    if (!engine->slowest.is_known)
        return find_tight_waits(engine, tight);
    for (size_t i = 0; i < graph->channel_count; i++)
        if (engine->slowest.space[i])
            tight[graph->channels[i].number] = 1;
    return DAL_OK;
}

static int execute_until_known(struct dal_sdf_engine *engine, const uint64_t *capacity,
                               struct dal_sdf_budget *budget, struct dal_sdf_period *period)
{
    dal__engine_begin(engine, capacity, NULL, budget);
    *period = find_period(engine);
    engine->budget = NULL;
    return engine->lost ? DAL_ERR_NOMEM : DAL_OK;
}

/* Returns a budget with a part of another one's work. settle_part() takes off what was used. */
static struct dal_sdf_budget part_of(const struct dal_sdf_budget *budget, uint64_t work)
{
    struct dal_sdf_budget part = *budget;
    part.work = dal_least(budget->work, work);
    return part;
}

/* Returns whether the part was too little, and there is more. */
static int settle_part(struct dal_sdf_budget *budget, const struct dal_sdf_budget *part,
                       uint64_t work)
{
    budget->work -= dal_least(budget->work, work) - part->work;
    budget->expired |= budget->work == 0;
    budget->expired |= budget->deadline_ns && dal_now_ns() > budget->deadline_ns;
    return part->expired && !budget->expired;
}

/* Executes with a part of the budget. Sets slowest.is_long when the part was too little, or
 * something did not fit. */
static int execute_first(struct dal_sdf_engine *engine, const uint64_t *capacity,
                         struct dal_sdf_budget *budget, struct dal_sdf_period *period)
{
    struct dal_sdf_budget first = part_of(budget, MAX_FIRST_WORK);
    int status = execute_until_known(engine, capacity, &first, period);
    engine->slowest.is_long = settle_part(budget, &first, MAX_FIRST_WORK);
    return status;
}

static int has_space(const struct dal_sdf_graph *part, const uint64_t *capacity)
{
    size_t i = 0;
    while (i < part->channel_count && capacity[part->channels[i].number] == DAL_SDF_UNLIMITED)
        i++;
    return i < part->channel_count;
}

/* Looks for the period of a part by whole iterations and by the slowest cycle in turn. Which of
 * them takes minutes where the other takes a second is not known before. Each gets four times as
 * much as before, so little is spent on cycles that are begun anew. */
static int try_in_turn(const struct dal_sdf_engine *engine, const uint64_t *capacity,
                       struct dal_sdf_budget *budget, struct dal_sdf_period *period)
{
    struct dal__maxplus *maxplus = dal__maxplus_create(engine->graph, capacity);
    int status = maxplus ? DAL_OK : DAL_ERR_NOMEM, iterates = 1, cycles = 1;
    period->verdict = DAL_SDF_UNKNOWN;
    for (uint64_t work = MAX_FIRST_WORK; !status && (iterates || cycles); work *= 4) {
        struct dal_sdf_budget part = part_of(budget, work);
        if (iterates) {
            status = dal__maxplus_run(maxplus, &part, period);
            iterates = settle_part(budget, &part, work);
        }
        if (status || period->verdict != DAL_SDF_UNKNOWN || budget->expired)
            break;
        part = part_of(budget, work / CYCLE_WORK);
        if (cycles) {
            status = dal__kperiodic(engine->graph, capacity, &part, period, NULL);
            cycles = settle_part(budget, &part, work / CYCLE_WORK);
        }
        if (period->verdict != DAL_SDF_UNKNOWN || budget->expired)
            break;
    }
    dal__maxplus_destroy(maxplus);
    return status;
}

/* Executes it if that is short. Otherwise looks for its period in other ways; where there is no way
 * to do that, executes it after all. */
int dal_sdf_engine_period(struct dal_sdf_engine *engine, const uint64_t *capacity,
                          struct dal_sdf_budget *budget, struct dal_sdf_period *period)
{
    int status = DAL_OK;
    memset(engine->waited, 0, engine->graph->channel_count);
    memset(engine->slowest.space, 0, engine->graph->channel_count);
    engine->slowest.is_known = 0;
    if (is_alone(engine->graph)) {
        *period = period_alone(engine, budget);
        return DAL_OK;
    }
    if (!engine->slowest.is_long)
        status = execute_first(engine, capacity, budget, period);
    if (status || !engine->slowest.is_long)
        return status;
    /* The cycle says which channels hold it up. */
    if (has_space(engine->graph, capacity) && !engine->slowest.is_unasked)
        status = dal__kperiodic(engine->graph, capacity, budget, period, engine->slowest.space);
    else
        status = try_in_turn(engine, capacity, budget, period);
    engine->slowest.is_known = period->verdict != DAL_SDF_UNKNOWN;
    if (!status && !engine->slowest.is_known && !budget->expired)
        status = execute_until_known(engine, capacity, budget, period);
    return status;
}

static uint64_t longest_time(const struct dal_sdf_process *process)
{
    uint64_t most = process->times.count ? 0 : process->time;
    for (size_t i = 0; i < process->times.count; i++)
        most = process->times.of[i] > most ? process->times.of[i] : most;
    return most;
}

static int engine_latency(struct dal_sdf_engine *engine, const uint64_t *capacity,
                          struct dal_sdf_budget *budget, uint64_t *latency, int *known)
{
    *known = 0;
    if (is_alone(engine->graph)) {
        *latency = engine->graph->process_count ? longest_time(engine->graph->processes) : 0;
        *known = 1;
        return DAL_OK;
    }
    dal__engine_begin(engine, capacity, NULL, budget);
    while (engine->unfinished > 0 && !budget->expired && dal__engine_step(engine))
        ;
    *known = engine->unfinished == 0 && !budget->expired;
    *latency = engine->now;
    return engine->lost ? DAL_ERR_NOMEM : DAL_OK;
}

/* Whole graphs */

int dal_sdf_period(const struct dal_sdf_graph *graph, const uint64_t *capacity,
                   struct dal_sdf_budget *budget, struct dal_sdf_period *period)
{
    struct dal_sdf_parts parts;
    int status = dal_sdf_parts_init(&parts, graph, capacity, DAL_SDF_NONE);
    *period = (struct dal_sdf_period){.verdict = DAL_SDF_UNBOUNDED};
    for (size_t i = 0; i < parts.count && !status; i++) {
        struct dal_sdf_engine *engine = dal_sdf_engine_create(&parts.list[i]);
        struct dal_sdf_period one;
        if (engine)
            engine->slowest.is_unasked = 1;
        status = engine ? dal_sdf_engine_period(engine, capacity, budget, &one) : DAL_ERR_NOMEM;
        if (!status && dal_sdf_compare(one, *period) > 0)
            *period = one;
        if (!status && one.verdict == DAL_SDF_UNKNOWN)
            *period = one;
        dal_sdf_engine_destroy(engine);
        if (period->verdict == DAL_SDF_UNKNOWN)
            break;
    }
    dal_sdf_parts_finish(&parts);
    return status;
}

int dal_sdf_latency(const struct dal_sdf_graph *graph, const uint64_t *capacity,
                    struct dal_sdf_budget *budget, uint64_t *latency, int *known)
{
    struct dal_sdf_parts parts;
    int status = dal_sdf_parts_init(&parts, graph, capacity, DAL_SDF_NONE);
    *latency = 0;
    *known = !status;
    for (size_t i = 0; i < parts.count && !status && *known; i++) {
        struct dal_sdf_engine *engine = dal_sdf_engine_create(&parts.list[i]);
        uint64_t one = 0;
        status = engine ? engine_latency(engine, capacity, budget, &one, known) : DAL_ERR_NOMEM;
        if (one > *latency)
            *latency = one;
        dal_sdf_engine_destroy(engine);
    }
    dal_sdf_parts_finish(&parts);
    return status;
}
