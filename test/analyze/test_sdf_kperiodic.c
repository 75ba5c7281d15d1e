/*
 * Periods without events: by the slowest cycle and by whole iterations. Random synchronous and
 * cyclo-static graphs against a simulator that is as simple as it can be, and large graphs whose
 * period is known by hand.
 */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/sdf/kperiodic.h"
#include "spec/sdf/maxplus.h"
#include "test/analyze/sdf_sample.h"
#include "test/suite.h"

#include <CUnit/CUnit.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 32, MOST_PHASES = 4, MOST_TIME = 16, STATES = 100000 };

/* A graph with its sequences, made in place. */
struct subject {
    struct dal_sdf_graph graph;
    struct dal_sdf_process processes[MOST];
    struct dal_sdf_channel channels[MOST];
    uint64_t capacity[MOST];
    uint64_t times[MOST][MOST_PHASES], in[MOST][MOST_PHASES], out[MOST][MOST_PHASES];
};

static void subject_init(struct subject *s)
{
    memset(s, 0, sizeof(*s));
    s->graph.processes = s->processes;
    s->graph.channels = s->channels;
}

static size_t add_process(struct subject *s, uint64_t time, uint64_t repetitions, uint64_t at_once)
{
    size_t number = s->graph.process_count++;
    s->processes[number] = (struct dal_sdf_process){.time = time,
                                                    .repetitions = repetitions,
                                                    .at_once = at_once,
                                                    .number = number,
                                                    .origin = number};
    return number;
}

static size_t add_channel(struct subject *s, struct edge edge, uint64_t capacity)
{
    size_t number = s->graph.channel_count++;
    s->channels[number] = (struct dal_sdf_channel){.producer = edge.from,
                                                   .consumer = edge.to,
                                                   .rate_in = edge.produce,
                                                   .rate_out = edge.consume,
                                                   .initial_tokens = edge.initial,
                                                   .number = number};
    s->capacity[number] = capacity;
    return number;
}

/* The slowest cycle, without the marks. */
static int by_cycle(const struct dal_sdf_graph *part, const uint64_t *capacity,
                    struct dal_sdf_budget *budget, struct dal_sdf_period *period)
{
    return dal__kperiodic(part, capacity, budget, period, NULL);
}

/* Whole iterations, with a budget that ends again and again. */
static int by_iterations(const struct dal_sdf_graph *part, const uint64_t *capacity,
                         struct dal_sdf_budget *budget, struct dal_sdf_period *period)
{
    struct dal__maxplus *maxplus = dal__maxplus_create(part, capacity);
    int status = maxplus ? DAL_OK : DAL_ERR_NOMEM, is_more = 1;
    while (!status && is_more) {
        struct dal_sdf_budget some = {.work = dal_least(budget->work, 1 + below(1000))};
        budget->work -= some.work;
        status = dal__maxplus_run(maxplus, &some, period);
        budget->work += some.work;
        budget->expired = budget->work == 0;
        is_more = period->verdict == DAL_SDF_UNKNOWN && some.expired && !budget->expired;
    }
    dal__maxplus_destroy(maxplus);
    return status;
}

/* A method, part by part. */
static struct dal_sdf_period
period_by(int (*method)(const struct dal_sdf_graph *part, const uint64_t *capacity,
                        struct dal_sdf_budget *budget, struct dal_sdf_period *period),
          const struct dal_sdf_graph *graph, const uint64_t *capacity)
{
    struct dal_sdf_budget budget = {.work = UINT64_MAX};
    struct dal_sdf_period slowest = {.verdict = DAL_SDF_UNBOUNDED}, period;
    struct dal_sdf_parts parts;
    CU_ASSERT_FATAL(dal_sdf_parts_init(&parts, graph, capacity, DAL_SDF_NONE) == DAL_OK);
    for (size_t i = 0; i < parts.count; i++) {
        if (parts.list[i].channel_count == 0)
            continue;
        CU_ASSERT_EQUAL(method(&parts.list[i], capacity, &budget, &period), DAL_OK);
        if (dal_sdf_compare(period, slowest) > 0 || period.verdict == DAL_SDF_UNKNOWN)
            slowest = period;
    }
    dal_sdf_parts_finish(&parts);
    return slowest;
}

static struct dal_sdf_period period_by_k(const struct dal_sdf_graph *graph,
                                         const uint64_t *capacity)
{
    return period_by(by_cycle, graph, capacity);
}

static struct dal_sdf_period period_by_iterations(const struct dal_sdf_graph *graph,
                                                  const uint64_t *capacity)
{
    return period_by(by_iterations, graph, capacity);
}

static struct dal_sdf_period period_by_engine(const struct dal_sdf_graph *graph,
                                              const uint64_t *capacity)
{
    struct dal_sdf_budget budget = {.work = UINT64_MAX};
    struct dal_sdf_period period;
    CU_ASSERT_EQUAL(dal_sdf_period(graph, capacity, &budget, &period), DAL_OK);
    return period;
}

static int is_same(struct dal_sdf_period a, struct dal_sdf_period b)
{
    return a.verdict == b.verdict && a.over == b.over && a.under == b.under;
}

static void check_is(struct dal_sdf_period period, uint64_t over, uint64_t under)
{
    CU_ASSERT_EQUAL(period.verdict, DAL_SDF_PERIODIC);
    CU_ASSERT_EQUAL(period.over, over);
    CU_ASSERT_EQUAL(period.under, under);
}

/* The simulator: a state is tokens, space, phases, and how many firings end in how long. */

struct moment {
    uint64_t tokens[MOST], space[MOST], phase[MOST];
    uint16_t ends[MOST][MOST_TIME][MOST_PHASES]; /* by the phase that ends, too */
    uint64_t now, cycles;
};

static uint64_t phases_of(const struct dal_sdf_process *process)
{
    return process->phases > 1 ? process->phases : 1;
}

static int can_start(const struct subject *s, const struct moment *m, size_t process)
{
    uint64_t under_way = 0;
    for (size_t i = 0; i < s->graph.channel_count; i++) {
        const struct dal_sdf_channel *c = &s->channels[i];
        if (c->producer == process &&
            m->space[i] < dal_sdf_in_phase(&c->phases_in, m->phase[process], c->rate_in))
            return 0;
        if (c->consumer == process &&
            m->tokens[i] < dal_sdf_in_phase(&c->phases_out, m->phase[process], c->rate_out))
            return 0;
    }
    for (size_t t = 0; t < MOST_TIME; t++)
        for (size_t k = 0; k < MOST_PHASES; k++)
            under_way += m->ends[process][t][k];
    return !s->processes[process].at_once || under_way < s->processes[process].at_once;
}

/* Not before those that have started earlier. */
static uint64_t ends_in(const struct moment *m, size_t process, uint64_t time)
{
    for (uint64_t t = MOST_TIME - 1; t > time; t--)
        for (size_t k = 0; k < MOST_PHASES; k++)
            if (m->ends[process][t][k])
                return t;
    return time;
}

static void start_one(const struct subject *s, struct moment *m, size_t process)
{
    const struct dal_sdf_process *p = &s->processes[process];
    uint64_t phase = m->phase[process], phases = phases_of(p);
    for (size_t i = 0; i < s->graph.channel_count; i++) {
        const struct dal_sdf_channel *c = &s->channels[i];
        if (c->producer == process && m->space[i] < UINT64_MAX / 2)
            m->space[i] -= dal_sdf_in_phase(&c->phases_in, phase, c->rate_in);
        if (c->consumer == process)
            m->tokens[i] -= dal_sdf_in_phase(&c->phases_out, phase, c->rate_out);
    }
    m->ends[process][ends_in(m, process, dal_sdf_in_phase(&p->times, phase, p->time))][phase]++;
    m->phase[process] = (phase + 1) % phases;
    if (process == 0 && m->phase[0] == 0)
        m->cycles++;
}

static void end_one(const struct subject *s, struct moment *m, size_t process, uint64_t phase)
{
    for (size_t i = 0; i < s->graph.channel_count; i++) {
        const struct dal_sdf_channel *c = &s->channels[i];
        if (c->producer == process)
            m->tokens[i] += dal_sdf_in_phase(&c->phases_in, phase, c->rate_in);
        if (c->consumer == process && m->space[i] < UINT64_MAX / 2)
            m->space[i] += dal_sdf_in_phase(&c->phases_out, phase, c->rate_out);
    }
    m->ends[process][0][phase]--;
}

/* Time passes until something ends. Returns 0 when nothing is under way. */
static int wait_for_end(const struct subject *s, struct moment *m)
{
    for (uint64_t after = 0; after < MOST_TIME; after++) {
        uint64_t ending = 0;
        for (size_t i = 0; i < s->graph.process_count; i++)
            for (size_t k = 0; k < MOST_PHASES; k++)
                ending += m->ends[i][after][k];
        if (ending == 0)
            continue;
        for (size_t i = 0; i < s->graph.process_count && after; i++) {
            memmove(m->ends[i][0], m->ends[i][after], (MOST_TIME - after) * sizeof(m->ends[i][0]));
            memset(m->ends[i][MOST_TIME - after], 0, after * sizeof(m->ends[i][0]));
        }
        m->now += after;
        return 1;
    }
    return 0;
}

static int advance(const struct subject *s, struct moment *m)
{
    for (size_t i = 0; i < s->graph.process_count; i++)
        for (size_t k = 0; k < MOST_PHASES; k++)
            while (m->ends[i][0][k] > 0)
                end_one(s, m, i, k);
    for (size_t i = 0; i < s->graph.process_count; i++)
        while (can_start(s, m, i))
            start_one(s, m, i);
    return wait_for_end(s, m);
}

static void begin_moment(const struct subject *s, struct moment *m)
{
    memset(m, 0, sizeof(*m));
    for (size_t i = 0; i < s->graph.channel_count; i++) {
        uint64_t tokens = s->channels[i].initial_tokens;
        m->tokens[i] = tokens;
        m->space[i] = s->capacity[i] > tokens ? s->capacity[i] - tokens : 0;
    }
}

/* The period as the state recurs; UNKNOWN when it does not within STATES. */
static struct dal_sdf_period simulate(const struct subject *s)
{
    static struct moment now, then;
    begin_moment(s, &now);
    then = now;
    for (size_t count = 1, kept = 16; count < STATES; count++) {
        uint64_t over, under, common;
        if (!advance(s, &now))
            return (struct dal_sdf_period){.verdict = DAL_SDF_DEADLOCK};
        if (now.cycles > then.cycles && !memcmp(&now, &then, offsetof(struct moment, now))) {
            over = (now.now - then.now) * s->processes[0].repetitions;
            under = now.cycles - then.cycles;
            common = dal_gcd(over, under);
            return over ? (struct dal_sdf_period){DAL_SDF_PERIODIC, over / common, under / common}
                        : (struct dal_sdf_period){.verdict = DAL_SDF_UNBOUNDED};
        }
        if (count == kept) {
            then = now;
            kept *= 2;
        }
    }
    return (struct dal_sdf_period){.verdict = DAL_SDF_UNKNOWN};
}

/* Random graphs */

/* Deals `total` to the phases. */
static void deal(uint64_t *list, uint64_t phases, uint64_t total)
{
    memset(list, 0, phases * sizeof(*list));
    for (uint64_t i = 0; i < total; i++)
        list[below(phases)]++;
}

static void make_cyclic(struct subject *s, size_t process)
{
    struct dal_sdf_process *p = &s->processes[process];
    p->phases = 2 + below(MOST_PHASES - 1);
    for (uint64_t i = 0; i < p->phases; i++)
        s->times[process][i] = below(3) ? below(8) : 0;
    if (below(3))
        p->times = (struct dal_sdf_phases){.of = s->times[process], .count = p->phases};
}

/* Two in three processes become cyclo-static, most of them with times that differ. */
static void random_subject(struct subject *s, const struct sample *sample, int cyclic)
{
    subject_init(s);
    for (size_t i = 0; i < sample->processes; i++) {
        add_process(s, sample->times[i], sample->repetitions[i], below(2) ? 0 : 1 + below(3));
        if (cyclic && below(3))
            make_cyclic(s, i);
    }
    for (size_t i = 0; i < sample->count; i++) {
        const struct edge *edge = &sample->edges[i];
        uint64_t least = dal_sdf_least_capacity(edge->produce, edge->consume, edge->initial,
                                                edge->from == edge->to);
        struct dal_sdf_channel *channel;
        channel = &s->channels[add_channel(s, *edge, least + below(edge->produce) + below(4))];
        if (below(24) == 0)
            s->capacity[i] -= below(s->capacity[i]);
        if (s->processes[edge->from].phases > 1) {
            uint64_t phases = s->processes[edge->from].phases;
            deal(s->in[i], phases, edge->produce);
            channel->phases_in = (struct dal_sdf_phases){.of = s->in[i], .count = phases};
        }
        if (s->processes[edge->to].phases > 1) {
            uint64_t phases = s->processes[edge->to].phases;
            deal(s->out[i], phases, edge->consume);
            channel->phases_out = (struct dal_sdf_phases){.of = s->out[i], .count = phases};
        }
    }
}

struct tally {
    size_t periodic, fractions, endless, dead;
};

static void count_verdict(struct tally *tally, struct dal_sdf_period period)
{
    tally->periodic += period.verdict == DAL_SDF_PERIODIC;
    tally->fractions += period.verdict == DAL_SDF_PERIODIC && period.under > 1;
    tally->endless += period.verdict == DAL_SDF_UNBOUNDED;
    tally->dead += period.verdict == DAL_SDF_DEADLOCK;
}

static void check_random(int cyclic)
{
    static struct subject s;
    struct tally tally = {0};
    long rounds = suite_number("DAL_TEST_ROUNDS", 10000);
    for (long round = 0; round < rounds; round++) {
        struct sample sample;
        struct dal_sdf_period wanted, found;
        random_sample(&sample, 5, 3);
        random_subject(&s, &sample, cyclic);
        wanted = simulate(&s);
        found = period_by_k(&s.graph, s.capacity);
        CU_ASSERT_NOT_EQUAL(wanted.verdict, DAL_SDF_UNKNOWN);
        CU_ASSERT(is_same(found, wanted));
        CU_ASSERT(is_same(period_by_iterations(&s.graph, s.capacity), wanted));
        CU_ASSERT(is_same(period_by_engine(&s.graph, s.capacity), wanted));
        count_verdict(&tally, wanted);
    }
    printf("%zu periodic (%zu fractions), %zu endless, %zu dead ", tally.periodic, tally.fractions,
           tally.endless, tally.dead);
    CU_ASSERT(tally.periodic > 500 && tally.fractions > 20 && tally.endless > 20 &&
              tally.dead > 100);
}

static void test_random_synchronous(void)
{
    check_random(0);
}

static void test_random_cyclic(void)
{
    check_random(1);
}

/* Without limits a graph falls into parts; the engine splits it, too. */
static void test_random_parts(void)
{
    static struct subject s;
    struct tally tally = {0};
    for (int round = 0; round < 1000; round++) {
        struct sample sample;
        struct dal_sdf_period wanted;
        random_sample(&sample, 8, 6);
        random_subject(&s, &sample, 0);
        for (size_t i = 0; i < s.graph.channel_count; i++)
            if (below(2))
                s.capacity[i] = DAL_SDF_UNLIMITED;
        for (size_t i = 0; i < s.graph.process_count; i++)
            if (s.processes[i].at_once)
                add_channel(&s, (struct edge){i, i, 1, 1, 1}, DAL_SDF_UNLIMITED);
        wanted = period_by_engine(&s.graph, s.capacity);
        CU_ASSERT(is_same(period_by_k(&s.graph, s.capacity), wanted));
        CU_ASSERT(is_same(period_by_iterations(&s.graph, s.capacity), wanted));
        count_verdict(&tally, wanted);
    }
    printf("%zu periodic, %zu endless, %zu dead ", tally.periodic, tally.endless, tally.dead);
    CU_ASSERT(tally.periodic > 300 && tally.endless > 20 && tally.dead > 20);
}

/* Rates that have little in common, and tokens in rings: K gets far, and differs from process to
 * process. */
static void check_wide(size_t rounds, uint64_t most)
{
    static struct subject s;
    struct tally tally = {0};
    for (size_t round = 0; round < rounds; round++) {
        struct dal_sdf_period wanted;
        size_t processes = 3 + below(5);
        subject_init(&s);
        for (size_t i = 0; i < processes; i++)
            add_process(&s, below(50), 1 + below(most), below(3));
        for (size_t i = 0; i < processes + below(4); i++) {
            size_t from = i < processes ? i : below(processes);
            size_t to = i < processes ? (i + 1) % processes : below(processes);
            uint64_t a = s.processes[from].repetitions, b = s.processes[to].repetitions;
            struct edge edge = {from, to, b / dal_gcd(a, b), a / dal_gcd(a, b), 0};
            edge.initial = below(3) ? 0 : below(2) ? below(2 * a * b) : edge.produce * a;
            add_channel(&s, edge, DAL_SDF_UNLIMITED);
            if (below(2))
                s.capacity[i] = edge.initial + (edge.produce + edge.consume) * (1 + below(3));
        }
        wanted = period_by_engine(&s.graph, s.capacity);
        CU_ASSERT(is_same(period_by_k(&s.graph, s.capacity), wanted));
        CU_ASSERT(is_same(period_by_iterations(&s.graph, s.capacity), wanted));
        count_verdict(&tally, wanted);
    }
    printf("%zu periodic (%zu fractions), %zu endless, %zu dead ", tally.periodic, tally.fractions,
           tally.endless, tally.dead);
    CU_ASSERT(tally.periodic > rounds / 3 && tally.fractions > 5 && tally.dead > rounds / 15);
}

static void test_random_wide(void)
{
    check_wide(1500, 30);
}

/* Iterations of so many firings that a part of one is made before the first state is kept. */
static void test_random_long(void)
{
    check_wide(300, 400);
}

/* Large graphs whose period is known by hand */

/* A writes n blocks that B reads one by one; each fires one at once, and the channel has room for
 * n blocks and `more`. A waits until B has left only `more`; meanwhile B reads those, if any. */
static uint64_t block_period(uint64_t n, uint64_t more, uint64_t a, uint64_t b)
{
    uint64_t alternating = a + (n - more) * b;
    return alternating > n * b ? alternating : n * b;
}

static void test_large_blocks(void)
{
    static const uint64_t more[] = {0, 1, 100000, 299999, 300000};
    static struct subject s;
    uint64_t n = 300000;
    for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
        subject_init(&s);
        add_process(&s, 700001, 1, 1);
        add_process(&s, 3, n, 1);
        add_channel(&s, (struct edge){0, 1, n, 1, 0}, n + more[i]);
        check_is(period_by_k(&s.graph, s.capacity), block_period(n, more[i], 700001, 3), 1);
        CU_ASSERT(
            is_same(period_by_engine(&s.graph, s.capacity), period_by_k(&s.graph, s.capacity)));
    }
}

/* The same with phases: B reads 1 token in 3 units, then 2 in 5. */
static void test_large_cyclic(void)
{
    static struct subject s;
    uint64_t n = 100000;
    for (uint64_t room = 1; room < 3; room++) {
        subject_init(&s);
        add_process(&s, 7001, 1, 1);
        add_process(&s, 0, n, 1);
        add_channel(&s, (struct edge){0, 1, 3 * n, 3, 0}, room * 3 * n);
        s.processes[1].phases = 2;
        s.processes[1].times = (struct dal_sdf_phases){(const uint64_t[]){3, 5}, 2};
        s.channels[0].phases_out = (struct dal_sdf_phases){(const uint64_t[]){1, 2}, 2};
        check_is(period_by_k(&s.graph, s.capacity), room == 1 ? 7001 + 8 * n : 8 * n, 1);
    }
}

/* Rates without a common divisor, and a channel that takes ages to fill: A is but a little faster
 * than B. 628 * 10^3 firings an iteration. */
static void test_large_transient(void)
{
    static struct subject s;
    uint64_t a = 314159, b = 314161;
    subject_init(&s);
    add_process(&s, 10 * a, b, 1);
    add_process(&s, 10 * b + 1, a, 1);
    add_channel(&s, (struct edge){0, 1, a, b, 0}, UINT64_C(1) << 40);
    check_is(period_by_k(&s.graph, s.capacity), a * (10 * b + 1), 1);
    check_is(period_by_engine(&s.graph, s.capacity), a * (10 * b + 1), 1);
}

/* A ring of processes of which each hands on blocks: all that is in it is one token of the first.
 * So nothing overlaps but the firings that one block allows, each one at once. */
static void test_large_ring(void)
{
    static struct subject s;
    static const uint64_t factors[] = {7, 11, 13, 17, 19};
    uint64_t repetitions = 1, wanted = 5;
    subject_init(&s);
    add_process(&s, 5, 1, 1);
    for (size_t i = 0; i < 5; i++) {
        repetitions *= factors[i];
        add_process(&s, 0, repetitions, 1);
        add_channel(&s, (struct edge){i, i + 1, factors[i], 1, 0}, DAL_SDF_UNLIMITED);
    }
    s.processes[5].time = 2;
    wanted += 2 * repetitions;
    add_channel(&s, (struct edge){5, 0, 1, repetitions, repetitions}, DAL_SDF_UNLIMITED);
    check_is(period_by_k(&s.graph, s.capacity), wanted, 1);
    check_is(period_by_iterations(&s.graph, s.capacity), wanted, 1);
    check_is(period_by_engine(&s.graph, s.capacity), wanted, 1);
    s.channels[5].initial_tokens--;
    CU_ASSERT_EQUAL(period_by_k(&s.graph, s.capacity).verdict, DAL_SDF_DEADLOCK);
    CU_ASSERT_EQUAL(period_by_iterations(&s.graph, s.capacity).verdict, DAL_SDF_DEADLOCK);
}

/* A budget that ends, wherever it does, and memory that does: nothing is found, nothing is lost. */
static void check_ends(int (*method)(const struct dal_sdf_graph *part, const uint64_t *capacity,
                                     struct dal_sdf_budget *budget, struct dal_sdf_period *period))
{
    static struct subject s;
    struct dal_sdf_period period = {0};
    int ended = 0;
    subject_init(&s);
    add_process(&s, 1, 3, 1);
    add_process(&s, 2, 5, 1);
    add_channel(&s, (struct edge){0, 1, 5, 3, 0}, 8);
    for (uint64_t work = 1; period.verdict != DAL_SDF_PERIODIC || work == 1; work++) {
        struct dal_sdf_budget budget = {.work = work};
        CU_ASSERT_EQUAL(method(&s.graph, s.capacity, &budget, &period), DAL_OK);
        CU_ASSERT(period.verdict != DAL_SDF_UNKNOWN || budget.expired);
    }
    for (unsigned long n = 1; !ended; n++) {
        struct dal_sdf_budget budget = {.work = UINT64_MAX};
        int status;
        dal_alloc_fail_at(n);
        status = method(&s.graph, s.capacity, &budget, &period);
        ended = status == DAL_OK;
        CU_ASSERT(ended || status == DAL_ERR_NOMEM);
    }
    dal_alloc_fail_at(0);
    CU_ASSERT(is_same(period, period_by_engine(&s.graph, s.capacity)));
}

static void test_ends(void)
{
    check_ends(by_cycle);
    check_ends(by_iterations);
}

/* A short phase behind a long one that writes nothing: of two at once, it ends with the long one
 * all the same. The next cycle's long one starts then, with the last phase. */
static void test_overtaking(void)
{
    static struct subject s;
    static const uint64_t times[] = {5, 1, 1}, writes[] = {0, 1, 1}, ones[] = {1, 1, 1};
    subject_init(&s);
    add_process(&s, 0, 1, 2);
    add_process(&s, 1, 2, 1);
    add_channel(&s, (struct edge){0, 1, 2, 1, 0}, 2);
    s.processes[0].phases = 3;
    s.processes[0].times = (struct dal_sdf_phases){times, 3};
    s.channels[0].phases_in = (struct dal_sdf_phases){writes, 3};
    CU_ASSERT(is_same(period_by_k(&s.graph, s.capacity), simulate(&s)));
    check_is(period_by_k(&s.graph, s.capacity), 5, 1);
    add_channel(&s, (struct edge){0, 0, 3, 3, 1}, DAL_SDF_UNLIMITED);
    s.channels[1].phases_in = s.channels[1].phases_out = (struct dal_sdf_phases){ones, 3};
    check_is(period_by_k(&s.graph, s.capacity), 7, 1);
    check_is(period_by_iterations(&s.graph, s.capacity), 7, 1);
}

/* What the method does not do is left to the engine: numbers that do not fit. */
static void test_refusals(void)
{
    static struct subject s;
    subject_init(&s);
    add_process(&s, 0, 1, 0);
    add_process(&s, 1, 1, 1);
    add_channel(&s, (struct edge){0, 1, 2, 2, 0}, 4);
    s.processes[0].phases = 2;
    s.processes[0].times = (struct dal_sdf_phases){(const uint64_t[]){3, 5}, 2};
    s.channels[0].phases_in = (struct dal_sdf_phases){(const uint64_t[]){1, 1}, 2};
    check_is(period_by_k(&s.graph, s.capacity), 3, 1);
    add_channel(&s, (struct edge){0, 0, 2, 2, 2}, DAL_SDF_UNLIMITED);
    s.channels[1].phases_in = s.channels[1].phases_out = s.channels[0].phases_in;
    check_is(period_by_k(&s.graph, s.capacity), 5, 1);
    s.channels[1].initial_tokens = 1;
    check_is(period_by_k(&s.graph, s.capacity), 8, 1);
    s.processes[1].time = UINT64_MAX;
    CU_ASSERT_EQUAL(period_by_k(&s.graph, s.capacity).verdict, DAL_SDF_UNKNOWN);
    CU_ASSERT_EQUAL(period_by_iterations(&s.graph, s.capacity).verdict, DAL_SDF_UNKNOWN);
    s.processes[1].time = 1;
    s.capacity[0] = UINT64_MAX - 1;
    CU_ASSERT_EQUAL(period_by_k(&s.graph, s.capacity).verdict, DAL_SDF_UNKNOWN);
}

static const struct test tests[] = {
    {"random synchronous graphs", test_random_synchronous},
    {"random cyclo-static graphs", test_random_cyclic},
    {"random graphs in parts", test_random_parts},
    {"random graphs with rates of all sorts", test_random_wide},
    {"random graphs with long iterations", test_random_long},
    {"budget and memory end", test_ends},
    {"firings that could overtake each other", test_overtaking},
    {"refusals", test_refusals},
    {"large: blocks", test_large_blocks},
    {"large: phases", test_large_cyclic},
    {"large: a ring", test_large_ring},
    {"large: a channel that fills slowly", test_large_transient},
};

int main(void)
{
    return run_suite("sdf_kperiodic", tests, sizeof(tests) / sizeof(tests[0]));
}
