#include "spec/sdf/maxplus.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/sdf/flows.h"

#include <string.h>

/* Times stay below this, so that sums fit. */
#define MAX_TIME (INT64_C(1) << 62)
/* Runs that a line may have before its producer has to wait; more where all wait for that. */
#define FIRST_RUNS 64

/* Tokens of a flow that may be taken from the same time on. */
struct run {
    int64_t time;
    uint64_t count;
};

/* The tokens of a flow, the oldest first, as runs in a ring. */
struct line {
    struct run *ring;
    size_t head, count, room; /* room: a power of two, or 0 */
    uint64_t tokens;
};

/* What an iteration leaves behind. */
struct state {
    struct line *lines;     /* by flow */
    int64_t *starts, *ends; /* by process: of its last firing; the latest of all its firings */
};

struct end {
    size_t flow, other;      /* other: the actor at the other end */
    const uint64_t *amounts; /* by phase */
};

/* A process while it is executed. */
struct actor {
    struct end *inputs, *outputs;
    size_t input_count, output_count;
    const uint64_t *times; /* by phase */
    uint64_t phase, phases;
    uint64_t left; /* firings of this iteration */
    size_t waits;  /* the flow that it waits for, or DAL_SDF_NONE */
    int is_serial; /* its firings wait for the end of the one before, whatever comes */
    unsigned char is_queued;
};

struct dal__maxplus {
    struct dal__periodic p; /* the flows */
    struct actor *actors;
    struct end *all_ends; /* of all actors */
    uint64_t *numbers;    /* their amounts and times */
    size_t *queue;        /* actors that may be able to fire: a ring */
    size_t head, queued;
    size_t most_runs; /* of a line; see FIRST_RUNS */
    int is_held;      /* an actor did not fire for want of that */
    int lacks_memory;
    int is_under_way;        /* an iteration has begun, and is not over */
    uint64_t turns, most;    /* since `kept`; until it is replaced */
    struct state now, kept;  /* kept: of some iterations ago */
    int64_t least, greatest; /* growth of a time since `kept` */
    int64_t bound;           /* what the busiest serial actor takes: no period is less */
};

/* ---- lines ----------------------------------------------------------------------------------- */

static struct run *run_at(const struct line *line, size_t number)
{
    return &line->ring[(line->head + number) & (line->room - 1)];
}

static int widen(struct line *line)
{
    size_t room = line->room ? 2 * line->room : 4;
    struct run *ring = dal_calloc(room, sizeof(*ring));
    if (!ring)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < line->count; i++)
        ring[i] = *run_at(line, i);
    dal_free(line->ring);
    line->ring = ring;
    line->head = 0;
    line->room = room;
    return DAL_OK;
}

static void put(struct dal__maxplus *m, struct line *line, int64_t time, uint64_t count)
{
    line->tokens += count;
    if (line->count > 0 && run_at(line, line->count - 1)->time == time) {
        run_at(line, line->count - 1)->count += count;
        return;
    }
    if (line->count == line->room && widen(line)) {
        m->lacks_memory = 1;
        return;
    }
    *run_at(line, line->count++) = (struct run){.time = time, .count = count};
}

/* Takes tokens that are there. Returns from when on the last of them may be taken. */
static int64_t take_tokens(struct line *line, uint64_t count)
{
    int64_t time = 0;
    line->tokens -= count;
    while (count > 0) {
        struct run *run = run_at(line, 0);
        uint64_t taken = run->count < count ? run->count : count;
        time = run->time;
        count -= taken;
        run->count -= taken;
        if (run->count == 0) {
            line->head++;
            line->count--;
        }
    }
    return time;
}

static void empty(struct line *line)
{
    line->head = line->count = line->tokens = 0;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- states ---------------------------------------------------------------------------------- */

static int state_init(struct state *state, const struct dal__periodic *p)
{
    size_t processes = p->part->process_count + 1;
    state->lines = dal_calloc(p->flow_count + 1, sizeof(*state->lines));
    state->starts = dal_calloc(processes, sizeof(*state->starts));
    state->ends = dal_calloc(processes, sizeof(*state->ends));
    return state->lines && state->starts && state->ends ? DAL_OK : DAL_ERR_NOMEM;
}

static void state_finish(struct state *state, const struct dal__periodic *p)
{
    for (size_t i = 0; state->lines && i < p->flow_count; i++)
        dal_free(state->lines[i].ring);
    dal_free_all(state->lines, state->starts, state->ends);
}

static void copy_state(struct dal__maxplus *m, struct state *to, const struct state *from)
{
    size_t bytes = m->p.part->process_count * sizeof(*to->starts);
    memcpy(to->starts, from->starts, bytes);
    memcpy(to->ends, from->ends, bytes);
    for (size_t i = 0; i < m->p.flow_count; i++) {
        empty(&to->lines[i]);
        for (size_t k = 0; k < from->lines[i].count; k++)
            put(m, &to->lines[i], run_at(&from->lines[i], k)->time,
                run_at(&from->lines[i], k)->count);
    }
}

static void note_growth(struct dal__maxplus *m, int64_t kept, int64_t now)
{
    m->least = now - kept < m->least ? now - kept : m->least;
    m->greatest = later(m->greatest, now - kept);
}

/* Compares the tokens that have the same place in a line, then and now. */
static void compare_lines(struct dal__maxplus *m, const struct line *kept, const struct line *now)
{
    uint64_t of_kept = 0, of_now = 0; /* of the present runs: tokens that were looked at */
    for (size_t i = 0, k = 0; i < kept->count && k < now->count;) {
        const struct run *x = run_at(kept, i), *y = run_at(now, k);
        uint64_t count = dal_least(x->count - of_kept, y->count - of_now);
        note_growth(m, x->time, y->time);
        of_kept = of_kept + count < x->count ? of_kept + count : 0;
        of_now = of_now + count < y->count ? of_now + count : 0;
        i += of_kept == 0;
        k += of_now == 0;
    }
}

static void measure_growth(struct dal__maxplus *m)
{
    m->least = INT64_MAX;
    m->greatest = 0;
    for (size_t i = 0; i < m->p.part->process_count; i++) {
        note_growth(m, m->kept.starts[i], m->now.starts[i]);
        note_growth(m, m->kept.ends[i], m->now.ends[i]);
    }
    for (size_t i = 0; i < m->p.flow_count; i++)
        compare_lines(m, &m->kept.lines[i], &m->now.lines[i]);
}

/* ---- an iteration ---------------------------------------------------------------------------- */

/* Returns whether an actor can fire. If not, it notes for what it waits. */
static int may_fire(struct dal__maxplus *m, struct actor *actor)
{
    actor->waits = DAL_SDF_NONE;
    for (size_t i = 0; i < actor->input_count && actor->waits == DAL_SDF_NONE; i++)
        if (m->now.lines[actor->inputs[i].flow].tokens < actor->inputs[i].amounts[actor->phase])
            actor->waits = actor->inputs[i].flow;
    for (size_t i = 0; i < actor->output_count && actor->waits == DAL_SDF_NONE; i++)
        if (m->now.lines[actor->outputs[i].flow].count >= m->most_runs) {
            actor->waits = actor->outputs[i].flow;
            m->is_held = 1;
        }
    return actor->waits == DAL_SDF_NONE;
}

static void fire_actor(struct dal__maxplus *m, size_t number)
{
    struct actor *actor = &m->actors[number];
    int64_t *start = &m->now.starts[number], *end = &m->now.ends[number];
    uint64_t phase = actor->phase;
    if (actor->is_serial)
        *start = *end;
    for (size_t i = 0; i < actor->input_count; i++)
        *start = later(*start, take_tokens(&m->now.lines[actor->inputs[i].flow],
                                           actor->inputs[i].amounts[phase]));
    *end = later(*end, *start + (int64_t)actor->times[phase]);
    for (size_t i = 0; i < actor->output_count; i++)
        if (actor->outputs[i].amounts[phase])
            put(m, &m->now.lines[actor->outputs[i].flow], *end, actor->outputs[i].amounts[phase]);
    m->p.lost |= *end >= MAX_TIME;
    actor->left--;
    actor->phase = phase + 1 < actor->phases ? phase + 1 : 0;
}

static void enqueue(struct dal__maxplus *m, size_t number)
{
    if (m->actors[number].is_queued)
        return;
    m->actors[number].is_queued = 1;
    m->queue[(m->head + m->queued++) % m->p.part->process_count] = number;
}

/* A flow has moved: an actor at its other end may have waited for that. */
static void wake(struct dal__maxplus *m, const struct end *end)
{
    if (m->actors[end->other].waits == end->flow)
        enqueue(m, end->other);
}

/* Fires an actor as often as it can. Only firings cost: with any budget there is at least one. */
static void visit(struct dal__maxplus *m, size_t number)
{
    struct actor *actor = &m->actors[number];
    uint64_t fired = 0;
    for (; actor->left > 0 && may_fire(m, actor) && !m->p.lost && !m->lacks_memory; fired++)
        fire_actor(m, number);
    for (size_t i = 0; fired && i < actor->input_count; i++)
        wake(m, &actor->inputs[i]);
    for (size_t i = 0; fired && i < actor->output_count; i++)
        wake(m, &actor->outputs[i]);
    dal_sdf_spend(m->p.budget, (actor->input_count + actor->output_count) * fired);
}

static int is_over(const struct dal__maxplus *m)
{
    return m->p.lost || m->lacks_memory || m->p.budget->expired;
}

/* Fires what there is until nobody can. Returns whether the iteration is whole. */
static int fire_all(struct dal__maxplus *m)
{
    size_t count = m->p.part->process_count, done = 0;
    m->is_held = 0;
    for (size_t i = 0; i < count; i++)
        enqueue(m, i);
    while (m->queued > 0) {
        size_t number = m->queue[m->head];
        m->head = (m->head + 1) % count;
        m->queued--;
        m->actors[number].is_queued = 0;
        if (!is_over(m))
            visit(m, number);
    }
    while (done < count && m->actors[done].left == 0)
        done++;
    return done == count;
}

/* Begins an iteration, or goes on with it. Returns whether it is whole; otherwise there is a
 * deadlock, or it is over. */
static int iterate(struct dal__maxplus *m)
{
    if (!m->is_under_way) {
        for (size_t i = 0; i < m->p.part->process_count; i++)
            m->actors[i].left = m->p.repetitions[i] * m->p.phases[i];
    }
    m->is_under_way = 1;
    while (!fire_all(m)) {
        if (!m->is_held || is_over(m))
            return 0;
        m->most_runs *= 2;
    }
    m->is_under_way = 0;
    return 1;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Adds an end to those of an actor, and its amounts behind the others. */
static void add_end(struct dal__maxplus *m, struct end *end, size_t flow,
                    const struct dal__amounts *amounts, size_t other, uint64_t **numbers)
{
    *end = (struct end){.flow = flow, .other = other, .amounts = *numbers};
    for (uint64_t i = 0; i < m->p.phases[amounts->process]; i++)
        *(*numbers)++ = dal__amount_of(amounts, i);
}

/* Finds how many ends each actor has, and where they are. A flow that makes its actor serial has
 * none. */
static void place_ends(struct dal__maxplus *m)
{
    struct end *ends = m->all_ends;
    for (size_t i = 0; i < m->p.flow_count; i++) {
        const struct dal__flow *flow = &m->p.flows[i];
        int is_serial = dal__flow_is_serial(&m->p, flow);
        m->actors[flow->to.process].is_serial |= is_serial;
        m->actors[flow->to.process].input_count += !is_serial;
        m->actors[flow->from.process].output_count += !is_serial;
    }
    for (size_t i = 0; i < m->p.part->process_count; i++) {
        struct actor *actor = &m->actors[i];
        actor->inputs = ends;
        actor->outputs = actor->inputs + actor->input_count;
        ends = actor->outputs + actor->output_count;
        actor->input_count = actor->output_count = 0;
    }
}

static void describe_actors(struct dal__maxplus *m)
{
    uint64_t *numbers = m->numbers;
    place_ends(m);
    for (size_t i = 0; i < m->p.part->process_count; i++) {
        m->actors[i].times = numbers;
        m->actors[i].phases = m->p.phases[i];
        for (uint64_t k = 0; k < m->p.phases[i]; k++)
            *numbers++ = dal__time_of(&m->p.part->processes[i], k);
    }
    for (size_t i = 0; i < m->p.flow_count; i++) {
        const struct dal__flow *flow = &m->p.flows[i];
        struct actor *to = &m->actors[flow->to.process], *from = &m->actors[flow->from.process];
        if (dal__flow_is_serial(&m->p, flow))
            continue;
        add_end(m, &to->inputs[to->input_count++], i, &flow->to, flow->from.process, &numbers);
        add_end(m, &from->outputs[from->output_count++], i, &flow->from, flow->to.process,
                &numbers);
        if (flow->tokens)
            put(m, &m->now.lines[i], 0, flow->tokens);
    }
}

/* Finds how long a serial actor is busy in an iteration: no period is less. */
static void find_bound(struct dal__maxplus *m, size_t number)
{
    const struct actor *actor = &m->actors[number];
    uint64_t busy = 0;
    for (uint64_t i = 0; i < actor->phases; i++)
        m->p.lost |= __builtin_add_overflow(busy, actor->times[i], &busy);
    m->p.lost |=
        __builtin_mul_overflow(busy, m->p.repetitions[number], &busy) || busy >= (uint64_t)MAX_TIME;
    if (!m->p.lost && actor->is_serial)
        m->bound = later(m->bound, (int64_t)busy);
}

/* Returns how many amounts and times there are. */
static size_t count_numbers(const struct dal__periodic *p)
{
    size_t count = 1;
    for (size_t i = 0; i < p->part->process_count; i++)
        count += p->phases[i];
    for (size_t i = 0; i < p->flow_count; i++)
        count += p->phases[p->flows[i].from.process] + p->phases[p->flows[i].to.process];
    return count;
}

static int maxplus_init(struct dal__maxplus *m, const struct dal_sdf_graph *part,
                        const uint64_t *capacity)
{
    int status = dal__periodic_init(&m->p, part, capacity, NULL);
    m->all_ends = dal_calloc(2 * m->p.flow_count + 1, sizeof(*m->all_ends));
    m->numbers = status ? NULL : dal_calloc(count_numbers(&m->p), sizeof(*m->numbers));
    m->actors = dal_calloc(part->process_count + 1, sizeof(*m->actors));
    m->queue = dal_calloc(part->process_count + 1, sizeof(*m->queue));
    m->most_runs = FIRST_RUNS;
    m->most = 1;
    if (!m->numbers || !m->all_ends || !m->actors || !m->queue || state_init(&m->now, &m->p) ||
        state_init(&m->kept, &m->p))
        return DAL_ERR_NOMEM;
    if (!m->p.lost)
        describe_actors(m);
    for (size_t i = 0; i < part->process_count && !m->p.lost; i++)
        find_bound(m, i);
    copy_state(m, &m->kept, &m->now);
    return m->lacks_memory ? DAL_ERR_NOMEM : DAL_OK;
}

struct dal__maxplus *dal__maxplus_create(const struct dal_sdf_graph *part, const uint64_t *capacity)
{
    struct dal__maxplus *m = dal_calloc(1, sizeof(*m));
    if (!m || maxplus_init(m, part, capacity) == DAL_OK)
        return m;
    dal__maxplus_destroy(m);
    return NULL;
}

void dal__maxplus_destroy(struct dal__maxplus *m)
{
    if (!m)
        return;
    state_finish(&m->now, &m->p);
    state_finish(&m->kept, &m->p);
    dal_free_all(m->actors, m->all_ends, m->numbers, m->queue);
    dal__periodic_finish(&m->p);
    dal_free(m);
}

/* Returns the time units of an iteration of the whole, when `turns` of the part take `time`. */
static struct dal_sdf_period period_of(const struct dal__maxplus *m, uint64_t time, uint64_t turns)
{
    uint64_t over, common;
    if (__builtin_mul_overflow(time, m->p.common, &over))
        return (struct dal_sdf_period){.verdict = DAL_SDF_UNKNOWN};
    if (over == 0)
        return (struct dal_sdf_period){.verdict = DAL_SDF_UNBOUNDED};
    common = dal_gcd(over, turns);
    return (struct dal_sdf_period){
        .verdict = DAL_SDF_PERIODIC, .over = over / common, .under = turns / common};
}

/* No time has grown by less than `least`, none by more than `greatest`: so it is with the period,
 * and it is known once these are the same. It is, too, when nothing takes longer than the bound.
 * The state that is kept is replaced after 1, 2, 4, ... iterations (Brent 1980), so that it is in
 * the periodic phase at last. */
static struct dal_sdf_period compare_with_kept(struct dal__maxplus *m)
{
    struct dal_sdf_period period = {.verdict = DAL_SDF_UNKNOWN};
    measure_growth(m);
    m->turns++;
    if (m->least == m->greatest)
        period = period_of(m, (uint64_t)m->greatest, m->turns);
    else if ((uint64_t)m->greatest / m->turns < (uint64_t)m->bound ||
             (uint64_t)m->greatest == (uint64_t)m->bound * m->turns)
        period = period_of(m, (uint64_t)m->bound, 1);
    if (m->turns == m->most) {
        copy_state(m, &m->kept, &m->now);
        m->most *= 2;
        m->turns = 0;
    }
    return period;
}

int dal__maxplus_run(struct dal__maxplus *m, struct dal_sdf_budget *budget,
                     struct dal_sdf_period *period)
{
    *period = (struct dal_sdf_period){.verdict = DAL_SDF_UNKNOWN};
    m->p.budget = budget;
    while (period->verdict == DAL_SDF_UNKNOWN && !is_over(m)) {
        int is_whole = iterate(m);
        if (is_whole && !m->p.lost && !m->lacks_memory)
            *period = compare_with_kept(m);
        else if (!is_whole && !is_over(m))
            period->verdict = DAL_SDF_DEADLOCK;
    }
    return m->lacks_memory ? DAL_ERR_NOMEM : DAL_OK;
}
