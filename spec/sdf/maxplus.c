#include "spec/sdf/maxplus.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/sdf/flows.h"

#include <string.h>

/* Times stay below this, so that sums fit. */
#define MAX_TIME (INT64_C(1) << 62)
/* Ends that an actor keeps before it has to wait; more where all wait for that. While there are few
 * of them, they stay in the cache. */
#define FIRST_ROOM 32
/* Most ends that an actor keeps. */
#define MAX_ROOM (UINT64_C(1) << 26)
/* The first state that is kept is that after this part of an iteration. By then it hardly matters
 * how all began. */
#define WARM_PART 16

/* A flow, as its consumer sees it. Its tokens are told by the firings of the producer that gave
 * them; those of the beginning have firing -1. */
struct input {
    const uint64_t *given, *taken; /* by phase of the producer; of the consumer */
    struct actor *from, *to;
    uint32_t phase, phases; /* of the producer: of its firing `seen`; number */
    uint64_t seen, tokens;  /* tokens that are left of its firings before `seen` */
};

/* A process while it is executed. */
struct actor {
    int64_t *ends; /* of its last firings: a ring of a power of two */
    uint64_t room, fired;
    uint64_t most; /* it may write over the end of a firing until it has fired so often */
    struct input *inputs, **outputs;
    size_t input_count, output_count;
    size_t next;            /* the input from which its next firing takes next */
    const uint64_t *times;  /* by phase */
    uint64_t phase, phases; /* of its next firing; number */
    int64_t start, end;     /* no earlier start of its next firing; the end of its last one */
    uint64_t left, late;    /* firings until the next state; those left at each state */
    struct actor *waiting;  /* the first actor that waits for this one */
    struct actor *beside;   /* the next one that waits as this one does */
    int is_serial;          /* its firings wait for the end of the one before, whatever comes */
};

/* An actor some iterations ago. */
struct kept {
    int64_t start, end;
    int64_t *ends; /* of its last firings, the last one first */
    uint64_t count, room;
};

struct dal__maxplus {
    struct dal__periodic p; /* the flows */
    struct actor *actors;
    struct kept *kept;
    struct input *inputs;   /* of all actors */
    struct input **outputs; /* of all actors */
    uint64_t *numbers;      /* their amounts and times */
    struct actor **queue;   /* actors that may be able to fire: a ring */
    size_t head, queued;
    int lacks_memory;
    int is_warm, is_under_way; /* there is a state that is kept; the next one is not there yet */
    uint64_t turns, most;      /* since `kept`; until it is replaced */
    int64_t least, greatest;   /* growth of a time since `kept` */
    int64_t bound;             /* what the busiest serial actor takes: no period is less */
};

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- ends ------------------------------------------------------------------------------------ */

static int64_t *end_of(const struct actor *actor, uint64_t firing)
{
    return &actor->ends[firing & (actor->room - 1)];
}

/* Returns the output whose consumer is the furthest behind, or NULL. It may yet ask for the end of
 * the firing before `seen`. */
static const struct input *find_slowest(const struct actor *actor)
{
    const struct input *slowest = NULL;
    for (size_t i = 0; i < actor->output_count; i++)
        if (!slowest || actor->outputs[i]->seen < slowest->seen)
            slowest = actor->outputs[i];
    return slowest;
}

/* Returns how many of the last ends are still asked for. */
static uint64_t count_ends(const struct actor *actor)
{
    const struct input *slowest = find_slowest(actor);
    return slowest ? actor->fired - slowest->seen + 1 : 0;
}

static void widen(struct dal__maxplus *m, struct actor *actor)
{
    struct actor wide = *actor;
    wide.room *= 2;
    wide.ends = dal_calloc(wide.room, sizeof(*wide.ends));
    m->lacks_memory |= !wide.ends;
    m->p.lost |= wide.room == MAX_ROOM;
    if (!wide.ends)
        return;
    for (uint64_t i = 1; i <= actor->room; i++)
        *end_of(&wide, actor->fired - i) = *end_of(actor, actor->fired - i);
    dal_free(actor->ends);
    *actor = wide;
}

/* Returns whether an actor lacks nothing but room: then it has some now. A consumer that only takes
 * tokens makes room and wakes nobody. */
static unsigned let_go(struct dal__maxplus *m, struct actor *actor)
{
    unsigned is_held = actor->left > 0 && actor->next == actor->input_count;
    if (is_held && count_ends(actor) >= actor->room)
        widen(m, actor);
    return is_held;
}

/* ---- states ---------------------------------------------------------------------------------- */

static int keep_actor(struct kept *kept, const struct actor *actor)
{
    uint64_t count = count_ends(actor);
    if (count > kept->room) {
        dal_free(kept->ends);
        kept->room = actor->room;
        kept->ends = dal_calloc(kept->room, sizeof(*kept->ends));
        if (!kept->ends)
            return DAL_ERR_NOMEM;
    }
    kept->start = actor->start;
    kept->end = actor->end;
    kept->count = count;
    for (uint64_t i = 0; i < count; i++)
        kept->ends[i] = *end_of(actor, actor->fired - 1 - i);
    return DAL_OK;
}

static void keep_state(struct dal__maxplus *m)
{
    for (size_t i = 0; i < m->p.part->process_count && !m->lacks_memory; i++)
        m->lacks_memory = keep_actor(&m->kept[i], &m->actors[i]) != DAL_OK;
}

static void note_growth(struct dal__maxplus *m, int64_t kept, int64_t now)
{
    m->least = now - kept < m->least ? now - kept : m->least;
    m->greatest = later(m->greatest, now - kept);
}

/* Compares what has the same place, then and now. */
static void measure_growth(struct dal__maxplus *m)
{
    m->least = INT64_MAX;
    m->greatest = 0;
    for (size_t i = 0; i < m->p.part->process_count; i++) {
        const struct actor *actor = &m->actors[i];
        const struct kept *kept = &m->kept[i];
        uint64_t count = count_ends(actor);
        note_growth(m, kept->start, actor->start);
        note_growth(m, kept->end, actor->end);
        for (uint64_t k = 0; k < count; k++) /* before the kept ones are tokens of the beginning */
            note_growth(m, k < kept->count ? kept->ends[k] : 0,
                        *end_of(actor, actor->fired - 1 - k));
    }
}

/* ---- an iteration ---------------------------------------------------------------------------- */

/* Takes an actor's tokens for its next firing, as far as there are any. Returns the actor for which
 * it has to wait, or NULL. */
static struct actor *take_tokens(struct actor *actor)
{
    size_t next = actor->next, count = actor->input_count;
    int64_t start = actor->start;
    int lacks = 0;
    for (; next < count; next += !lacks) {
        struct input *input = &actor->inputs[next];
        uint64_t wanted = input->taken[actor->phase], tokens = input->tokens, seen = input->seen;
        for (; tokens < wanted && seen < input->from->fired; seen++) {
            tokens += input->given[input->phase];
            input->phase = input->phase + 1 < input->phases ? input->phase + 1 : 0;
        }
        lacks = tokens < wanted;
        input->seen = seen;
        input->tokens = lacks ? tokens : tokens - wanted;
        if (lacks)
            break;
        if (wanted)
            start = later(start, *end_of(input->from, seen - 1));
    }
    actor->next = next;
    actor->start = start;
    return lacks ? actor->inputs[next].from : NULL;
}

/* Returns the actor that has to fire before there is room for one more end, or NULL. */
static struct actor *find_room(struct actor *actor)
{
    const struct input *slowest;
    if (actor->fired < actor->most)
        return NULL;
    slowest = find_slowest(actor);
    actor->most = (slowest ? slowest->seen : actor->fired) + actor->room - 1;
    return actor->fired < actor->most ? NULL : slowest->to;
}

static void fire_actor(struct actor *actor)
{
    actor->end = later(actor->end, actor->start + (int64_t)actor->times[actor->phase]);
    if (actor->is_serial)
        actor->start = actor->end;
    *end_of(actor, actor->fired++) = actor->end;
    actor->phase = actor->phase + 1 < actor->phases ? actor->phase + 1 : 0;
    actor->next = 0;
    actor->left--;
}

static void enqueue(struct dal__maxplus *m, struct actor *actor)
{
    size_t count = m->p.part->process_count, at = m->head + m->queued++;
    m->queue[at < count ? at : at - count] = actor;
}

/* Fires an actor as often as it can. Only firings cost: with any budget there is at least one. */
static void visit(struct dal__maxplus *m, struct actor *actor)
{
    uint64_t before = actor->fired;
    struct actor *other = NULL;
    while (!other && actor->left > 0 && actor->end < MAX_TIME) {
        other = take_tokens(actor);
        if (!other)
            other = find_room(actor);
        if (!other)
            fire_actor(actor);
    }
    m->p.lost |= actor->end >= MAX_TIME;
    if (other) {
        actor->beside = other->waiting;
        other->waiting = actor;
    }
    if (actor->fired == before)
        return;
    for (; actor->waiting; actor->waiting = actor->waiting->beside)
        enqueue(m, actor->waiting);
    dal_sdf_spend(m->p.budget,
                  (actor->input_count + actor->output_count) * (actor->fired - before));
}

static int is_over(const struct dal__maxplus *m)
{
    return m->p.lost || m->lacks_memory || m->p.budget->expired;
}

/* Fires what there is until nobody is woken, or it is over. */
static void fire_all(struct dal__maxplus *m)
{
    size_t count = m->p.part->process_count;
    m->head = m->queued = 0;
    for (size_t i = 0; i < count; i++) {
        m->actors[i].waiting = NULL;
        enqueue(m, &m->actors[i]);
    }
    while (m->queued > 0 && !is_over(m)) {
        struct actor *actor = m->queue[m->head];
        m->head = m->head + 1 < count ? m->head + 1 : 0;
        m->queued--;
        visit(m, actor);
    }
}

/* Fires until the next state, as far as the tokens allow, or it is over. */
static void fire_more(struct dal__maxplus *m)
{
    size_t held = 1;
    for (size_t i = 0; i < m->p.part->process_count && !m->is_under_way; i++) {
        uint64_t firings = m->p.repetitions[i] * m->p.phases[i];
        m->actors[i].left += m->is_warm ? firings : firings / WARM_PART;
    }
    m->is_under_way = 1;
    while (held > 0 && !is_over(m)) {
        fire_all(m);
        held = 0;
        for (size_t i = 0; i < m->p.part->process_count && !is_over(m); i++)
            held += let_go(m, &m->actors[i]);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Finds how many ends each actor has, and where they are. A flow that makes its actor serial has
 * none. */
static void place_ends(struct dal__maxplus *m)
{
    struct input *inputs = m->inputs, **outputs = m->outputs;
    for (size_t i = 0; i < m->p.flow_count; i++) {
        const struct dal__flow *flow = &m->p.flows[i];
        int is_serial = dal__flow_is_serial(&m->p, flow);
        m->actors[flow->to.process].is_serial |= is_serial;
        m->actors[flow->to.process].input_count += !is_serial;
        m->actors[flow->from.process].output_count += !is_serial;
    }
    for (size_t i = 0; i < m->p.part->process_count; i++) {
        struct actor *actor = &m->actors[i];
        actor->inputs = inputs;
        actor->outputs = outputs;
        inputs += actor->input_count;
        outputs += actor->output_count;
        actor->input_count = actor->output_count = 0;
    }
}

/* Puts the amounts of an end behind the others. */
static const uint64_t *list_amounts(const struct dal__maxplus *m,
                                    const struct dal__amounts *amounts, uint64_t **numbers)
{
    const uint64_t *list = *numbers;
    for (uint64_t i = 0; i < m->p.phases[amounts->process]; i++)
        *(*numbers)++ = dal__amount_of(amounts, i);
    return list;
}

static void describe_flow(struct dal__maxplus *m, const struct dal__flow *flow, uint64_t **numbers)
{
    struct actor *from = &m->actors[flow->from.process], *to = &m->actors[flow->to.process];
    struct input *input = &to->inputs[to->input_count++];
    *input = (struct input){.given = list_amounts(m, &flow->from, numbers),
                            .taken = list_amounts(m, &flow->to, numbers),
                            .from = from,
                            .to = to,
                            .phases = (uint32_t)from->phases,
                            .tokens = flow->tokens};
    from->outputs[from->output_count++] = input;
}

static void describe_actors(struct dal__maxplus *m)
{
    uint64_t *numbers = m->numbers;
    place_ends(m);
    for (size_t i = 0; i < m->p.part->process_count; i++) {
        struct actor *actor = &m->actors[i];
        actor->times = numbers;
        actor->phases = m->p.phases[i];
        for (uint64_t k = 0; k < actor->phases; k++)
            *numbers++ = dal__time_of(&m->p.part->processes[i], k);
        actor->room = FIRST_ROOM;
        actor->ends = dal_calloc(actor->room, sizeof(*actor->ends));
        m->lacks_memory |= !actor->ends;
    }
    for (size_t i = 0; i < m->p.flow_count; i++)
        if (!dal__flow_is_serial(&m->p, &m->p.flows[i]))
            describe_flow(m, &m->p.flows[i], &numbers);
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
    m->inputs = dal_calloc(m->p.flow_count + 1, sizeof(*m->inputs));
    m->outputs = dal_calloc(m->p.flow_count + 1, sizeof(struct input *));
    m->numbers = status ? NULL : dal_calloc(count_numbers(&m->p), sizeof(*m->numbers));
    m->actors = dal_calloc(part->process_count + 1, sizeof(*m->actors));
    m->kept = dal_calloc(part->process_count + 1, sizeof(*m->kept));
    m->queue = dal_calloc(part->process_count + 1, sizeof(struct actor *));
    m->most = 1;
    if (!m->numbers || !m->inputs || !m->outputs || !m->actors || !m->kept || !m->queue)
        return DAL_ERR_NOMEM;
    if (!m->p.lost)
        describe_actors(m);
    for (size_t i = 0; i < part->process_count && !m->p.lost; i++)
        find_bound(m, i);
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
    for (size_t i = 0; i < m->p.part->process_count; i++) {
        if (m->actors)
            dal_free(m->actors[i].ends);
        if (m->kept)
            dal_free(m->kept[i].ends);
    }
    dal_free_all(m->actors, m->kept, m->inputs, m->outputs, m->numbers, m->queue);
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
        keep_state(m);
        m->most *= 2;
        m->turns = 0;
    }
    return period;
}

/* A state is there. */
static struct dal_sdf_period look_at_state(struct dal__maxplus *m)
{
    int is_whole = 1;
    for (size_t i = 0; i < m->p.part->process_count; i++)
        is_whole &= m->actors[i].left == m->actors[i].late;
    if (m->is_warm)
        return is_whole ? compare_with_kept(m)
                        : (struct dal_sdf_period){.verdict = DAL_SDF_DEADLOCK};
    for (size_t i = 0; i < m->p.part->process_count; i++)
        m->actors[i].late = m->actors[i].left;
    keep_state(m);
    m->is_warm = 1;
    return (struct dal_sdf_period){.verdict = DAL_SDF_UNKNOWN};
}

int dal__maxplus_run(struct dal__maxplus *m, struct dal_sdf_budget *budget,
                     struct dal_sdf_period *period)
{
    *period = (struct dal_sdf_period){.verdict = DAL_SDF_UNKNOWN};
    m->p.budget = budget;
    while (period->verdict == DAL_SDF_UNKNOWN && !is_over(m)) {
        fire_more(m);
        if (is_over(m))
            break;
        m->is_under_way = 0;
        *period = look_at_state(m);
    }
    return m->lacks_memory ? DAL_ERR_NOMEM : DAL_OK;
}
