#include "spec/sdf/engine.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"

#include <string.h>

/* Room of an unlimited channel, in tokens: never reached, and sums of it fit 64 bits. */
#define ENDLESS ((uint64_t)1 << 62)
/* Most batches of firings under way in one process. */
#define MAX_FLIGHTS ((size_t)1 << 22)
/* Work between two looks at the clock. */
#define CLOCK_WORK ((uint64_t)1 << 14)
/* Of functions that are compiled into executions with time and into those without: is_timed is a
 * constant in each. */
#define FOR_BOTH static inline __attribute__((always_inline))

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

/* The same, for most calls: the clock is not due. */
static inline void spend_here(struct dal_sdf_budget *budget, uint64_t work)
{
    uint64_t left = budget->work - work;
    if (!budget->expired && budget->work > work && budget->work / CLOCK_WORK == left / CLOCK_WORK)
        budget->work = left;
    else
        dal_sdf_spend(budget, work);
}

struct dal_sdf_engine *dal_sdf_engine_create(const struct dal_sdf_graph *part)
{
    struct dal_sdf_engine *engine = dal_calloc(1, sizeof(*engine));
    size_t channels = part->channel_count + 1, processes = part->process_count + 1, room = 1;
    if (!engine)
        return NULL;
    while (room < processes)
        room *= 2;
    *engine = (struct dal_sdf_engine){
        .graph = part,
        .is_timed = 1,
        .tokens = dal_calloc(channels, sizeof(*engine->tokens)),
        .space = dal_calloc(channels, sizeof(*engine->space)),
        .lacks = dal_calloc(channels, 1),
        .waited = dal_calloc(channels, 1),
        .flights = dal_calloc(processes, sizeof(*engine->flights)),
        .heap = dal_calloc(processes, sizeof(*engine->heap)),
        .changed.ring = dal_calloc(room, sizeof(*engine->changed.ring)),
        .changed.room = room,
        .changed.is_in = dal_calloc(processes, 1),
        .left = dal_calloc(processes, sizeof(*engine->left)),
        .under_way = dal_calloc(processes, sizeof(*engine->under_way)),
        .started = dal_calloc(processes, sizeof(*engine->started)),
        .arrived = dal_calloc(2 * channels, sizeof(*engine->arrived)),
        .slowest.space = dal_calloc(channels, 1),
    };
    if (engine->tokens && engine->space && engine->lacks && engine->waited &&
        engine->slowest.space && engine->flights && engine->heap && engine->changed.ring &&
        engine->changed.is_in && engine->left && engine->under_way && engine->started &&
        engine->arrived)
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
    dal_free_all(engine->tokens, engine->space, engine->lacks, engine->waited,
                 engine->slowest.space, engine->flights, engine->heap, engine->changed.ring,
                 engine->changed.is_in, engine->left, engine->under_way, engine->started,
                 engine->arrived, engine->states[0].numbers, engine->states[1].numbers, engine);
}

/* The heap: sifted by the end of the first flight */

static uint64_t next_end(const struct dal_sdf_engine *engine, size_t process)
{
    const struct dal__flights *flights = &engine->flights[process];
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

static int grow_flights(struct dal_sdf_engine *engine, struct dal__flights *flights)
{
    size_t room = flights->room ? 2 * flights->room : 4;
    struct dal__flight *ring = room <= MAX_FLIGHTS ? dal_calloc(room, sizeof(*ring)) : NULL;
    if (!ring) {
        engine->lost |= room <= MAX_FLIGHTS;
        engine->budget->expired = 1;
        return DAL_ERR_NOMEM;
    }
    for (size_t i = 0; i < flights->count; i++)
        ring[i] = flights->ring[(flights->head + i) & (flights->room - 1)];
    dal_free(flights->ring);
    *flights = (struct dal__flights){.ring = ring, .count = flights->count, .room = room};
    return DAL_OK;
}

/* Firings of different times end in their order: a channel hands over tokens in that order. */
static void begin_flight(struct dal_sdf_engine *engine, size_t process, uint64_t count)
{
    const struct dal_sdf_process *p = &engine->graph->processes[process];
    struct dal__flights *flights = &engine->flights[process];
    uint64_t end, time = dal_sdf_in_phase(&p->times, engine->started[process], p->time);
    if (__builtin_add_overflow(engine->now, time, &end)) {
        engine->budget->expired = 1;
        return;
    }
    if (flights->count > 0) {
        struct dal__flight *last =
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
        (struct dal__flight){.end = end, .count = count};
    if (flights->count == 1) {
        engine->heap[engine->heap_count++] = process;
        sift_up(engine, engine->heap_count - 1);
    }
}

/* Without time, a process that has fired as often as it should is not looked at any more. */
FOR_BOTH void mark_changed(struct dal_sdf_engine *engine, size_t process, int is_timed)
{
    struct dal__changed *changed = &engine->changed;
    if (changed->is_in[process] || (!is_timed && engine->left[process] == 0))
        return;
    changed->is_in[process] = 1;
    changed->ring[(changed->head + changed->count++) & (changed->room - 1)] = process;
}

static size_t take_changed(struct dal_sdf_engine *engine)
{
    struct dal__changed *changed = &engine->changed;
    size_t process = changed->ring[changed->head];
    changed->head = (changed->head + 1) & (changed->room - 1);
    changed->count--;
    changed->is_in[process] = 0;
    return process;
}

/* Returns the amount that the oldest `count` firings under way move at an end. */
FOR_BOTH uint64_t amount_of(const struct dal_sdf_engine *engine, size_t process,
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
    struct dal__arrival *arrival = &engine->arrived[2 * end->channel + !end->output];
    arrival->amount = arrival->at == engine->now ? arrival->amount + amount : amount;
    arrival->at = engine->now;
}

/* Ends firings of a process: hands over what they have made, and frees what they have read. */
FOR_BOTH void end_firings(struct dal_sdf_engine *engine, size_t number, uint64_t count,
                          int is_timed)
{
    const struct dal_sdf_process *process = &engine->graph->processes[number];
    if (engine->left[number] > 0) {
        engine->left[number] -= count < engine->left[number] ? count : engine->left[number];
        engine->unfinished -= engine->left[number] == 0;
    }
    for (size_t i = 0; i < process->count; i++) {
        const struct dal_sdf_end *end = &engine->graph->ends[process->first + i];
        const struct dal_sdf_channel *channel = &engine->graph->channels[end->channel];
        uint64_t amount = amount_of(engine, number, end, count);
        (end->output ? engine->tokens : engine->space)[end->channel] += amount;
        if ((end->output ? channel->phases_out : channel->phases_in).count)
            note_arrival(engine, end, amount);
        mark_changed(engine, end->output ? channel->consumer : channel->producer, is_timed);
    }
    engine->under_way[number] -= count;
    if (is_timed ? process->at_once > 0 : dal_sdf_is_cyclic(process))
        mark_changed(engine, number, is_timed);
}

/* Ends the first flight of the process at the top of the heap. */
static void end_flight(struct dal_sdf_engine *engine)
{
    size_t number = engine->heap[0];
    struct dal__flights *flights = &engine->flights[number];
    uint64_t count = flights->ring[flights->head].count;
    flights->head = (flights->head + 1) & (flights->room - 1);
    if (--flights->count == 0)
        engine->heap[0] = engine->heap[--engine->heap_count];
    if (engine->heap_count > 0)
        sift_down(engine);
    end_firings(engine, number, count, 1);
}

/* Firings */

/* Returns whether a firing could not have started before this moment. */
static int has_waited(const struct dal_sdf_engine *engine, size_t process,
                      const struct dal_sdf_end *end)
{
    const struct dal__arrival *arrival = &engine->arrived[2 * end->channel + end->output];
    return arrival->amount > 0 && arrival->at == engine->now &&
           dal__amount_at(engine, end) <
               (int64_t)(dal__rate_at(engine, process, end) + arrival->amount);
}

/* Returns how many firings the process itself allows now; a cyclo-static one starts once at a
 * time. */
FOR_BOTH uint64_t most_at_once(const struct dal_sdf_engine *engine, size_t number, int is_timed)
{
    const struct dal_sdf_process *process = &engine->graph->processes[number];
    uint64_t most = process->count ? UINT64_MAX : 0;
    if (!is_timed)
        most = engine->left[number];
    else if (process->at_once)
        most = process->at_once - engine->under_way[number];
    return most > 1 && dal_sdf_is_cyclic(process) ? 1 : most;
}

/* Returns how often a process can start now. Without time, a channel to itself needs no limit,
 * since each firing leaves its tokens as they were. */
FOR_BOTH uint64_t count_startable(const struct dal_sdf_engine *engine, size_t number, int is_timed)
{
    const struct dal_sdf_process *process = &engine->graph->processes[number];
    uint64_t most = most_at_once(engine, number, is_timed);
    for (size_t i = 0; i < process->count && most; i++) {
        const struct dal_sdf_end *end = &engine->graph->ends[process->first + i];
        int64_t have = dal__amount_at(engine, end);
        uint64_t rate = dal__rate_at(engine, number, end);
        if (have < (int64_t)rate)
            return 0;
        if (most > 1 && (uint64_t)have / rate < most &&
            (is_timed || !dal_sdf_is_loop(&engine->graph->channels[end->channel])))
            most = (uint64_t)have / rate;
    }
    return most;
}

static void note_waited(struct dal_sdf_engine *engine, size_t number, const struct dal_sdf_end *end)
{
    int lack = end->output ? DAL__LACKS_SPACE : DAL__LACKS_TOKENS;
    if (end->phases.count == 0)
        engine->waited[end->channel] |= engine->lacks[end->channel] & lack;
    else if (has_waited(engine, number, end))
        engine->waited[end->channel] |= (unsigned char)lack;
}

FOR_BOTH void start_firings(struct dal_sdf_engine *engine, size_t number, uint64_t count,
                            int is_timed)
{
    const struct dal_sdf_process *process = &engine->graph->processes[number];
    for (size_t i = 0; i < process->count; i++) {
        const struct dal_sdf_end *end = &engine->graph->ends[process->first + i];
        if (is_timed)
            note_waited(engine, number, end);
        (end->output ? engine->space : engine->tokens)[end->channel] -=
            count * dal__rate_at(engine, number, end);
    }
    engine->under_way[number] += count;
    if (is_timed)
        begin_flight(engine, number, count);
    if (dal_sdf_is_cyclic(process))
        engine->started[number] = (engine->started[number] + 1) % process->phases;
    if (number == 0)
        engine->fired += count;
    if (!is_timed)
        end_firings(engine, number, count, 0);
}

/* Notes at which ends a process, which has started all it can, is short. */
static void note_lacks(struct dal_sdf_engine *engine, size_t number)
{
    const struct dal_sdf_process *process = &engine->graph->processes[number];
    for (size_t i = 0; i < process->count; i++) {
        const struct dal_sdf_end *end = &engine->graph->ends[process->first + i];
        int lack = end->output ? DAL__LACKS_SPACE : DAL__LACKS_TOKENS;
        if (dal__amount_at(engine, end) < (int64_t)dal__rate_at(engine, number, end))
            engine->lacks[end->channel] |= (unsigned char)lack;
        else
            engine->lacks[end->channel] &= (unsigned char)~lack;
    }
}

/* Without time, a cyclo-static process is looked at again when its turn comes. */
FOR_BOTH void look_at_process(struct dal_sdf_engine *engine, size_t number, int is_timed)
{
    const struct dal_sdf_process *process = &engine->graph->processes[number];
    int is_again = 1;
    while (is_again && !engine->budget->expired) {
        uint64_t count = count_startable(engine, number, is_timed);
        is_again = count && is_timed && dal_sdf_is_cyclic(process);
        if (count)
            start_firings(engine, number, count, is_timed);
        if (count && is_timed)
            spend_here(engine->budget, process->count + 1);
    }
    if (is_timed)
        note_lacks(engine, number);
    spend_here(engine->budget, process->count + 1);
}

static void look_at_changed(struct dal_sdf_engine *engine)
{
    while (engine->is_timed && engine->changed.count > 0)
        look_at_process(engine, take_changed(engine), 1);
    while (engine->changed.count > 0 && !engine->budget->expired)
        look_at_process(engine, take_changed(engine), 0);
}

int dal__engine_step(struct dal_sdf_engine *engine)
{
    if (engine->heap_count == 0)
        return 0;
    engine->now = next_end(engine, engine->heap[0]);
    while (engine->heap_count > 0 && next_end(engine, engine->heap[0]) == engine->now)
        end_flight(engine);
    look_at_changed(engine);
    return 1;
}

void dal__engine_go_on(struct dal_sdf_engine *engine)
{
    for (size_t i = 0; i < engine->graph->process_count; i++)
        mark_changed(engine, i, engine->is_timed);
    look_at_changed(engine);
}

static void fill_channels(struct dal_sdf_engine *engine, const uint64_t *capacity,
                          const uint64_t *more)
{
    for (size_t i = 0; i < engine->graph->channel_count; i++) {
        const struct dal_sdf_channel *channel = &engine->graph->channels[i];
        uint64_t extra = more ? more[channel->number] : 0;
        uint64_t limit = dal_least(dal__add_capped(capacity[channel->number], extra), ENDLESS);
        engine->tokens[i] = channel->initial_tokens + extra;
        engine->space[i] = limit - engine->tokens[i];
        if (engine->is_timed && limit < engine->tokens[i])
            engine->space[i] = 0;
    }
}

void dal__engine_begin(struct dal_sdf_engine *engine, const uint64_t *capacity,
                       const uint64_t *more, struct dal_sdf_budget *budget)
{
    const struct dal_sdf_graph *graph = engine->graph;
    engine->budget = budget;
    engine->heap_count = engine->changed.head = engine->changed.count = 0;
    engine->now = engine->fired = 0;
    engine->unfinished = graph->process_count;
    fill_channels(engine, capacity, more);
    memset(engine->lacks, 0, graph->channel_count);
    memset(engine->waited, 0, graph->channel_count);
    memset(engine->changed.is_in, 0, graph->process_count);
    memset(engine->arrived, 0, 2 * graph->channel_count * sizeof(*engine->arrived));
    for (size_t i = 0; i < graph->process_count; i++) {
        engine->flights[i].head = engine->flights[i].count = 0;
        engine->left[i] = dal_sdf_firings(&graph->processes[i]);
        engine->under_way[i] = engine->started[i] = 0;
    }
    dal__engine_go_on(engine);
}
