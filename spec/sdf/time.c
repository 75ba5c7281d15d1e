#include "spec/sdf/time.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "spec/sdf/kperiodic.h"

#include <string.h>

/* Room of an unlimited channel, in tokens: never reached, and sums of it fit 64 bits. */
#define ENDLESS ((uint64_t)1 << 62)
/* Most batches of firings under way in one process. */
#define MAX_FLIGHTS ((size_t)1 << 22)
/* Most channel ends that an execution may look at before a way round it is tried: some tenths of a
 * second. */
#define MAX_FIRST_WORK ((uint64_t)1 << 23)
/* Work between two looks at the clock. */
#define CLOCK_WORK ((uint64_t)1 << 14)

enum { LACKS_TOKENS = 1, LACKS_SPACE = 2 };

/* Firings of a process that end at the same time. */
struct flight {
    uint64_t end, count;
};

/* Firings under way, in the order of their ends: all firings of a process take the same time. */
struct flights {
    struct flight *ring; /* room is a power of two, or 0 */
    size_t head, count, room;
};

/* Tokens, or space, that arrived at a time; by end of a channel, tokens first. For cyclo-static
 * processes: `lacks` tells of their next phase and of none behind it, so arrivals are looked at
 * when they start. */
struct arrival {
    uint64_t at, amount;
};

struct dal_sdf_engine {
    const struct dal_sdf_graph *graph;
    uint64_t *tokens, *space; /* by channel */
    unsigned char *lacks;     /* by channel: what stopped its ends when they were looked at last */
    unsigned char *waited;    /* by channel: LACKS_ that a firing was waiting for */
    unsigned char *slowest;   /* by channel: the slowest cycle leads back through its space */
    int is_long, is_by_cycle; /* executions take too long; the last period is that of a cycle */
    struct flights *flights;  /* by process */
    size_t *heap;             /* processes with firings under way, the next end first */
    size_t heap_count;
    size_t *changed; /* processes to look at */
    unsigned char *is_changed;
    size_t changed_count;
    uint64_t *left; /* by process: firings of the first iteration that have not ended */
    size_t unfinished;
    uint64_t *under_way; /* by process: firings that have started and not ended */
    uint64_t *started;   /* by process, modulo its phases where it is cyclo-static */
    struct arrival *arrived;
    uint64_t now, fired; /* fired: by process 0 */
    uint64_t *state, *saved;
    size_t state_count, state_room, saved_count, saved_room;
    struct dal_sdf_budget *budget;
    int lost; /* memory is exhausted */
};

int dal_sdf_spend(struct dal_sdf_budget *budget, uint64_t work)
{
    uint64_t before = budget->work;
    if (budget->expired)
        return 0;
    budget->work -= before > work ? work : before;
    if (budget->work == 0)
        budget->expired = 1;
    if (before / CLOCK_WORK == budget->work / CLOCK_WORK)
        return !budget->expired;
    if (budget->deadline_ns && dal_now_ns() > budget->deadline_ns)
        budget->expired = 1;
    if (budget->progress)
        budget->progress(budget, budget->what);
    return !budget->expired;
}

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

/* The heap: sifted by the end of the first flight */

static uint64_t next_end(const struct dal_sdf_engine *engine, size_t process)
{
    const struct flights *flights = &engine->flights[process];
    return flights->ring[flights->head].end;
}

static void sift_up(struct dal_sdf_engine *engine, size_t at)
{
    size_t process = engine->heap[at];
    uint64_t end = next_end(engine, process);
    while (at > 0 && next_end(engine, engine->heap[(at - 1) / 2]) > end) {
        engine->heap[at] = engine->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    engine->heap[at] = process;
}

static void sift_down(struct dal_sdf_engine *engine)
{
    size_t process = engine->heap[0], at = 0;
    uint64_t end = next_end(engine, process);
    for (size_t child = 1; child < engine->heap_count; child = 2 * at + 1) {
        if (child + 1 < engine->heap_count &&
            next_end(engine, engine->heap[child + 1]) < next_end(engine, engine->heap[child]))
            child++;
        if (next_end(engine, engine->heap[child]) >= end)
            break;
        engine->heap[at] = engine->heap[child];
        at = child;
    }
    engine->heap[at] = process;
}

/* Flights */

static int grow_flights(struct dal_sdf_engine *engine, struct flights *flights)
{
    size_t room = flights->room ? 2 * flights->room : 4;
    struct flight *ring = room <= MAX_FLIGHTS ? dal_calloc(room, sizeof(*ring)) : NULL;
    if (!ring) {
        engine->lost |= room <= MAX_FLIGHTS;
        engine->budget->expired = 1;
        return DAL_ERR_NOMEM;
    }
    for (size_t i = 0; i < flights->count; i++)
        ring[i] = flights->ring[(flights->head + i) & (flights->room - 1)];
    dal_free(flights->ring);
    *flights = (struct flights){.ring = ring, .count = flights->count, .room = room};
    return DAL_OK;
}

/* Firings of different times end in their order: a channel hands over tokens in that order. */
static void begin_flight(struct dal_sdf_engine *engine, size_t process, uint64_t count)
{
    const struct dal_sdf_process *p = &engine->graph->processes[process];
    struct flights *flights = &engine->flights[process];
    uint64_t end, time = dal_sdf_in_phase(&p->times, engine->started[process], p->time);
    if (__builtin_add_overflow(engine->now, time, &end)) {
        engine->budget->expired = 1;
        return;
    }
    if (flights->count > 0) {
        struct flight *last =
            &flights->ring[(flights->head + flights->count - 1) & (flights->room - 1)];
        end = last->end > end ? last->end : end;
        if (last->end == end) {
            last->count += count;
            return;
        }
    }
    if (flights->count == flights->room && grow_flights(engine, flights))
        return;
    flights->ring[(flights->head + flights->count++) & (flights->room - 1)] =
        (struct flight){.end = end, .count = count};
    if (flights->count == 1) {
        engine->heap[engine->heap_count++] = process;
        sift_up(engine, engine->heap_count - 1);
    }
}

static void mark_changed(struct dal_sdf_engine *engine, size_t process)
{
    if (engine->is_changed[process])
        return;
    engine->is_changed[process] = 1;
    engine->changed[engine->changed_count++] = process;
}

/* Returns the amount that the oldest `count` firings under way move at an end. */
static uint64_t amount_of(const struct dal_sdf_engine *engine, size_t process,
                          const struct dal_sdf_end *end, uint64_t count)
{
    uint64_t phases = engine->graph->processes[process].phases, first, rest, amount;
    if (end->phases.count == 0)
        return count * end->rate;
    first = engine->started[process] + phases - engine->under_way[process] % phases;
    rest = count % phases;
    amount = count / phases * end->rate;
    for (uint64_t i = 0; i < rest; i++)
        amount += dal_sdf_end_rate(end, first + i);
    return amount;
}

static void note_arrival(struct dal_sdf_engine *engine, const struct dal_sdf_end *end,
                         uint64_t amount)
{
    struct arrival *arrival = &engine->arrived[2 * end->channel + !end->output];
    arrival->amount = arrival->at == engine->now ? arrival->amount + amount : amount;
    arrival->at = engine->now;
}

/* Ends the first flight of the process at the top of the heap. */
static void end_flight(struct dal_sdf_engine *engine)
{
    size_t number = engine->heap[0];
    const struct dal_sdf_process *process = &engine->graph->processes[number];
    struct flights *flights = &engine->flights[number];
    uint64_t count = flights->ring[flights->head].count;
    flights->head = (flights->head + 1) & (flights->room - 1);
    if (--flights->count == 0)
        engine->heap[0] = engine->heap[--engine->heap_count];
    if (engine->heap_count > 0)
        sift_down(engine);
    for (size_t i = 0; i < process->count; i++) {
        const struct dal_sdf_end *end = &engine->graph->ends[process->first + i];
        const struct dal_sdf_channel *channel = &engine->graph->channels[end->channel];
        uint64_t amount = amount_of(engine, number, end, count);
        (end->output ? engine->tokens : engine->space)[end->channel] += amount;
        if ((end->output ? channel->phases_out : channel->phases_in).count)
            note_arrival(engine, end, amount);
        mark_changed(engine, end->output ? channel->consumer : channel->producer);
    }
    engine->under_way[number] -= count;
    if (process->at_once)
        mark_changed(engine, number);
    if (engine->left[number] > 0) {
        engine->left[number] -= count < engine->left[number] ? count : engine->left[number];
        engine->unfinished -= engine->left[number] == 0;
    }
}

/* Firings */

static uint64_t amount_at(const struct dal_sdf_engine *engine, const struct dal_sdf_end *end)
{
    return (end->output ? engine->space : engine->tokens)[end->channel];
}

/* Returns the rate of the next firing. */
static uint64_t rate_at(const struct dal_sdf_engine *engine, size_t process,
                        const struct dal_sdf_end *end)
{
    return dal_sdf_end_rate(end, engine->started[process]);
}

/* Returns whether a firing could not have started before this moment. */
static int has_waited(const struct dal_sdf_engine *engine, size_t process,
                      const struct dal_sdf_end *end)
{
    const struct arrival *arrival = &engine->arrived[2 * end->channel + end->output];
    return arrival->amount > 0 && arrival->at == engine->now &&
           amount_at(engine, end) < rate_at(engine, process, end) + arrival->amount;
}

/* Returns how often a process can start now; a cyclo-static one starts once at a time. */
static uint64_t count_startable(const struct dal_sdf_engine *engine, size_t number)
{
    const struct dal_sdf_process *process = &engine->graph->processes[number];
    uint64_t most = process->at_once ? process->at_once - engine->under_way[number] : UINT64_MAX;
    if (most == 0)
        return 0;
    if (dal_sdf_is_cyclic(process))
        most = 1;
    for (size_t i = 0; i < process->count; i++) {
        const struct dal_sdf_end *end = &engine->graph->ends[process->first + i];
        uint64_t have = amount_at(engine, end), rate = rate_at(engine, number, end);
        if (have < rate)
            return 0;
        if (most > 1 && have / rate < most)
            most = have / rate;
    }
    return process->count || process->at_once ? most : 0;
}

static void note_waited(struct dal_sdf_engine *engine, size_t number, const struct dal_sdf_end *end)
{
    int lack = end->output ? LACKS_SPACE : LACKS_TOKENS;
    if (end->phases.count == 0)
        engine->waited[end->channel] |= engine->lacks[end->channel] & lack;
    else if (has_waited(engine, number, end))
        engine->waited[end->channel] |= (unsigned char)lack;
}

static void start_firings(struct dal_sdf_engine *engine, size_t number, uint64_t count)
{
    const struct dal_sdf_process *process = &engine->graph->processes[number];
    for (size_t i = 0; i < process->count; i++) {
        const struct dal_sdf_end *end = &engine->graph->ends[process->first + i];
        note_waited(engine, number, end);
        (end->output ? engine->space : engine->tokens)[end->channel] -=
            count * rate_at(engine, number, end);
    }
    engine->under_way[number] += count;
    begin_flight(engine, number, count);
    if (dal_sdf_is_cyclic(process))
        engine->started[number] = (engine->started[number] + 1) % process->phases;
    if (number == 0)
        engine->fired += count;
}

/* Notes at which ends a process, which has started all it can, is short. */
static void note_lacks(struct dal_sdf_engine *engine, size_t number)
{
    const struct dal_sdf_process *process = &engine->graph->processes[number];
    for (size_t i = 0; i < process->count; i++) {
        const struct dal_sdf_end *end = &engine->graph->ends[process->first + i];
        int lack = end->output ? LACKS_SPACE : LACKS_TOKENS;
        if (amount_at(engine, end) < rate_at(engine, number, end))
            engine->lacks[end->channel] |= (unsigned char)lack;
        else
            engine->lacks[end->channel] &= (unsigned char)~lack;
    }
}

static void look_at_process(struct dal_sdf_engine *engine, size_t number)
{
    const struct dal_sdf_process *process = &engine->graph->processes[number];
    uint64_t count = count_startable(engine, number);
    while (count && !engine->budget->expired) {
        start_firings(engine, number, count);
        dal_sdf_spend(engine->budget, process->count + 1);
        count = dal_sdf_is_cyclic(process) ? count_startable(engine, number) : 0;
    }
    note_lacks(engine, number);
    dal_sdf_spend(engine->budget, process->count + 1);
}

static void look_at_changed(struct dal_sdf_engine *engine)
{
    while (engine->changed_count > 0) {
        size_t number = engine->changed[--engine->changed_count];
        engine->is_changed[number] = 0;
        look_at_process(engine, number);
    }
}

/* Ends all flights that end next, and starts what can start then. Returns 0 when nothing is under
 * way. */
static int execute_step(struct dal_sdf_engine *engine)
{
    if (engine->heap_count == 0)
        return 0;
    engine->now = next_end(engine, engine->heap[0]);
    while (engine->heap_count > 0 && next_end(engine, engine->heap[0]) == engine->now)
        end_flight(engine);
    look_at_changed(engine);
    return 1;
}

static void begin_execution(struct dal_sdf_engine *engine, const uint64_t *capacity,
                            struct dal_sdf_budget *budget)
{
    const struct dal_sdf_graph *graph = engine->graph;
    engine->budget = budget;
    engine->heap_count = engine->changed_count = 0;
    engine->now = engine->fired = 0;
    engine->unfinished = graph->process_count;
    for (size_t i = 0; i < graph->channel_count; i++) {
        const struct dal_sdf_channel *channel = &graph->channels[i];
        uint64_t limit = capacity[channel->number] < ENDLESS ? capacity[channel->number] : ENDLESS;
        engine->tokens[i] = channel->initial_tokens;
        engine->space[i] = limit > channel->initial_tokens ? limit - channel->initial_tokens : 0;
    }
    memset(engine->lacks, 0, graph->channel_count);
    memset(engine->waited, 0, graph->channel_count);
    memset(engine->is_changed, 0, graph->process_count);
    memset(engine->arrived, 0, 2 * graph->channel_count * sizeof(*engine->arrived));
    for (size_t i = 0; i < graph->process_count; i++) {
        engine->flights[i].head = engine->flights[i].count = 0;
        engine->left[i] = dal_sdf_firings(&graph->processes[i]);
        engine->under_way[i] = engine->started[i] = 0;
    }
    for (size_t i = graph->process_count; i > 0; i--)
        mark_changed(engine, i - 1);
    look_at_changed(engine);
}

/* The state, as numbers that are the same whenever it recurs */

static void put_number(struct dal_sdf_engine *engine, uint64_t value)
{
    if (dal_grow(&engine->state, engine->state_count, &engine->state_room, sizeof(value))) {
        engine->lost = engine->budget->expired = 1;
        return;
    }
    engine->state[engine->state_count++] = value;
}

static void write_state(struct dal_sdf_engine *engine)
{
    const struct dal_sdf_graph *graph = engine->graph;
    engine->state_count = 0;
    for (size_t i = 0; i < graph->channel_count; i++)
        put_number(engine, engine->tokens[i]);
    for (size_t i = 0; i < graph->process_count; i++) {
        const struct flights *flights = &engine->flights[i];
        put_number(engine, flights->count);
        if (dal_sdf_is_cyclic(&graph->processes[i]))
            put_number(engine, engine->started[i]);
        for (size_t k = 0; k < flights->count; k++) {
            const struct flight *flight = &flights->ring[(flights->head + k) & (flights->room - 1)];
            put_number(engine, flight->end - engine->now);
            put_number(engine, flight->count);
        }
    }
    dal_sdf_spend(engine->budget, engine->state_count / 4);
}

static int is_saved_state(const struct dal_sdf_engine *engine)
{
    return engine->state_count == engine->saved_count &&
           !memcmp(engine->state, engine->saved, engine->state_count * sizeof(*engine->state));
}

static void save_state(struct dal_sdf_engine *engine)
{
    uint64_t *state = engine->saved;
    size_t room = engine->saved_room;
    engine->saved = engine->state;
    engine->saved_room = engine->state_room;
    engine->saved_count = engine->state_count;
    engine->state = state;
    engine->state_room = room;
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
    while (!engine->budget->expired && execute_step(engine)) {
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
        if (engine->waited[i] & LACKS_TOKENS)
            edges[count++] = (struct dal__edge){.from = channel->producer, .to = channel->consumer};
        if (engine->waited[i] & LACKS_SPACE)
            edges[count++] = (struct dal__edge){.from = channel->consumer, .to = channel->producer};
    }
    if (!status)
        status = dal__strong(graph->process_count, edges, count, component, &parts);
    for (size_t i = 0; i < graph->channel_count && !status; i++) {
        const struct dal_sdf_channel *channel = &graph->channels[i];
        if (engine->waited[i] & LACKS_SPACE &&
            component[channel->producer] == component[channel->consumer])
            tight[channel->number] = 1;
    }
    dal_free(edges);
    dal_free(component);
    return status;
}

int dal_sdf_engine_tight(const struct dal_sdf_engine *engine, unsigned char *tight)
{
    const struct dal_sdf_graph *graph = engine->graph;
    if (!engine->is_by_cycle)
        return find_tight_waits(engine, tight);
    for (size_t i = 0; i < graph->channel_count; i++)
        if (engine->slowest[i])
            tight[graph->channels[i].number] = 1;
    return DAL_OK;
}

static int execute_until_known(struct dal_sdf_engine *engine, const uint64_t *capacity,
                               struct dal_sdf_budget *budget, struct dal_sdf_period *period)
{
    begin_execution(engine, capacity, budget);
    *period = find_period(engine);
    engine->budget = NULL;
    return engine->lost ? DAL_ERR_NOMEM : DAL_OK;
}

/* Executes with a part of the budget. Sets is_long when the part was too little, or something did
 * not fit. */
static int execute_first(struct dal_sdf_engine *engine, const uint64_t *capacity,
                         struct dal_sdf_budget *budget, struct dal_sdf_period *period)
{
    struct dal_sdf_budget first = *budget;
    uint64_t part = dal_least(budget->work, MAX_FIRST_WORK);
    int status;
    first.work = part;
    status = execute_until_known(engine, capacity, &first, period);
    budget->work -= part - first.work;
    budget->expired |= budget->work == 0;
    budget->expired |= budget->deadline_ns && dal_now_ns() > budget->deadline_ns;
    engine->is_long = first.expired && !budget->expired;
    return status;
}

/* Executes it if that is short. Otherwise looks for the slowest cycle; where there is no way to do
 * that, executes it after all. */
int dal_sdf_engine_period(struct dal_sdf_engine *engine, const uint64_t *capacity,
                          struct dal_sdf_budget *budget, struct dal_sdf_period *period)
{
    int status = DAL_OK;
    memset(engine->waited, 0, engine->graph->channel_count);
    memset(engine->slowest, 0, engine->graph->channel_count);
    engine->is_by_cycle = 0;
    if (is_alone(engine->graph)) {
        *period = period_alone(engine, budget);
        return DAL_OK;
    }
    if (!engine->is_long)
        status = execute_first(engine, capacity, budget, period);
    if (status || !engine->is_long)
        return status;
    status = dal__kperiodic(engine->graph, capacity, budget, period, engine->slowest);
    engine->is_by_cycle = period->verdict != DAL_SDF_UNKNOWN;
    if (!status && !engine->is_by_cycle && !budget->expired)
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
    begin_execution(engine, capacity, budget);
    while (engine->unfinished > 0 && !budget->expired && execute_step(engine))
        ;
    *known = engine->unfinished == 0 && !budget->expired;
    *latency = engine->now;
    return engine->lost ? DAL_ERR_NOMEM : DAL_OK;
}

struct dal_sdf_engine *dal_sdf_engine_create(const struct dal_sdf_graph *part)
{
    struct dal_sdf_engine *engine = dal_calloc(1, sizeof(*engine));
    size_t channels = part->channel_count + 1, processes = part->process_count + 1;
    if (!engine)
        return NULL;
    *engine = (struct dal_sdf_engine){
        .graph = part,
        .tokens = dal_calloc(channels, sizeof(*engine->tokens)),
        .space = dal_calloc(channels, sizeof(*engine->space)),
        .lacks = dal_calloc(channels, 1),
        .waited = dal_calloc(channels, 1),
        .slowest = dal_calloc(channels, 1),
        .flights = dal_calloc(processes, sizeof(*engine->flights)),
        .heap = dal_calloc(processes, sizeof(*engine->heap)),
        .changed = dal_calloc(processes, sizeof(*engine->changed)),
        .is_changed = dal_calloc(processes, 1),
        .left = dal_calloc(processes, sizeof(*engine->left)),
        .under_way = dal_calloc(processes, sizeof(*engine->under_way)),
        .started = dal_calloc(processes, sizeof(*engine->started)),
        .arrived = dal_calloc(2 * channels, sizeof(*engine->arrived)),
    };
    if (engine->tokens && engine->space && engine->lacks && engine->waited && engine->slowest &&
        engine->flights && engine->heap && engine->changed && engine->is_changed && engine->left &&
        engine->under_way && engine->started && engine->arrived)
        return engine;
    dal_sdf_engine_destroy(engine);
    return NULL;
}

void dal_sdf_engine_destroy(struct dal_sdf_engine *engine)
{
    if (!engine)
        return;
    for (size_t i = 0; engine->flights && i < engine->graph->process_count; i++)
        dal_free(engine->flights[i].ring);
    dal_free(engine->tokens);
    dal_free(engine->space);
    dal_free(engine->lacks);
    dal_free(engine->waited);
    dal_free(engine->slowest);
    dal_free(engine->flights);
    dal_free(engine->heap);
    dal_free(engine->changed);
    dal_free(engine->is_changed);
    dal_free(engine->left);
    dal_free(engine->under_way);
    dal_free(engine->started);
    dal_free(engine->arrived);
    dal_free(engine->state);
    dal_free(engine->saved);
    dal_free(engine);
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
