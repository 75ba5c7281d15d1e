/*
 * Time and capacities: published results, and random networks against a simulator that is as
 * simple as it can be: firings one by one in a list, every state kept and compared.
 */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/analyse/graph.h"
#include "test/analyze/sdf_sample.h"
#include "test/suite.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MOST = 16, FIRINGS = 4000, STATE = 2 * MOST + FIRINGS, STATES = 4000 };

/* The simulator */

struct firing {
    size_t process;
    uint64_t end;
};

struct simulation {
    const struct dal_spec_network *network;
    const uint64_t *times, *capacity;
    uint64_t tokens[MOST], space[MOST], started[MOST];
    struct firing firings[FIRINGS];
    size_t firing_count;
    uint64_t now;
};

/* A state: tokens, and how many firings of each process end in how long. */
struct moment {
    uint64_t tokens[MOST];
    uint64_t ends[MOST][64];
    uint64_t now, started;
};

static struct moment moments[STATES];

static int can_start(const struct simulation *s, size_t process)
{
    for (size_t i = 0; i < s->network->channel_count; i++) {
        const struct dal_spec_channel *channel = &s->network->channels[i];
        if (channel->producer->number == process && s->space[i] < channel->rate_in)
            return 0;
        if (channel->consumer->number == process && s->tokens[i] < channel->rate_out)
            return 0;
    }
    return s->firing_count < FIRINGS;
}

static void start_one(struct simulation *s, size_t process)
{
    for (size_t i = 0; i < s->network->channel_count; i++) {
        const struct dal_spec_channel *channel = &s->network->channels[i];
        if (channel->producer->number == process)
            s->space[i] -= channel->rate_in;
        if (channel->consumer->number == process)
            s->tokens[i] -= channel->rate_out;
    }
    s->firings[s->firing_count++] =
        (struct firing){.process = process, .end = s->now + s->times[process]};
    s->started[process]++;
}

static void end_one(struct simulation *s, size_t which)
{
    size_t process = s->firings[which].process;
    for (size_t i = 0; i < s->network->channel_count; i++) {
        const struct dal_spec_channel *channel = &s->network->channels[i];
        if (channel->producer->number == process)
            s->tokens[i] += channel->rate_in;
        if (channel->consumer->number == process)
            s->space[i] += channel->rate_out;
    }
    s->firings[which] = s->firings[--s->firing_count];
}

/* Ends what ends now, starts what can start, moves on to the next end. Returns 0 when nothing is
 * under way. */
static int advance(struct simulation *s)
{
    uint64_t next = UINT64_MAX;
    for (size_t i = s->firing_count; i > 0; i--)
        if (s->firings[i - 1].end == s->now)
            end_one(s, i - 1);
    for (size_t i = 0; i < s->network->process_count; i++)
        while (can_start(s, i))
            start_one(s, i);
    for (size_t i = 0; i < s->firing_count; i++)
        if (s->firings[i].end < next)
            next = s->firings[i].end;
    if (s->firing_count == 0)
        return 0;
    s->now = next;
    return 1;
}

static void begin_simulation(struct simulation *s, const struct dal_spec_network *network,
                             const uint64_t *times, const uint64_t *capacity)
{
    memset(s, 0, sizeof(*s));
    s->network = network;
    s->times = times;
    s->capacity = capacity;
    for (size_t i = 0; i < network->channel_count; i++) {
        s->tokens[i] = network->channels[i].initial_tokens;
        s->space[i] = capacity[i] - s->tokens[i];
    }
}

static void note_moment(const struct simulation *s, struct moment *moment)
{
    memset(moment, 0, sizeof(*moment));
    memcpy(moment->tokens, s->tokens, sizeof(moment->tokens));
    for (size_t i = 0; i < s->firing_count; i++)
        moment->ends[s->firings[i].process][s->firings[i].end - s->now]++;
    moment->now = s->now;
    moment->started = s->started[0];
}

static int same(const struct moment *a, const struct moment *b)
{
    return !memcmp(a->tokens, b->tokens, sizeof(a->tokens)) &&
           !memcmp(a->ends, b->ends, sizeof(a->ends));
}

/* over / under as the state recurs; over 0 for no time at all, under 0 for a deadlock. Returns 0
 * when it does not recur within STATES. */
static int simulate(const struct dal_spec_network *network, const uint64_t *times,
                    const uint64_t *capacity, uint64_t *over, uint64_t *under)
{
    static struct simulation s;
    begin_simulation(&s, network, times, capacity);
    for (size_t count = 0; count < STATES; count++) {
        if (!advance(&s)) {
            *over = *under = 0;
            return 1;
        }
        note_moment(&s, &moments[count]);
        for (size_t i = 0; i < count; i++) {
            if (!same(&moments[i], &moments[count]))
                continue;
            *over = (moments[count].now - moments[i].now) * network->processes[0].repetitions;
            *under = moments[count].started - moments[i].started;
            return 1;
        }
    }
    return 0;
}

static int is_period(struct dal_sdf_period period, uint64_t over, uint64_t under)
{
    if (under == 0)
        return period.verdict == DAL_SDF_DEADLOCK;
    if (over == 0)
        return period.verdict == DAL_SDF_UNBOUNDED;
    return period.verdict == DAL_SDF_PERIODIC && period.over * under == over * period.under;
}

/* Fires any process that can, once, for some iterations. Returns whether it got to the end. */
static int run_iterations(const struct dal_spec_network *network, const uint64_t *capacity,
                          uint64_t iterations)
{
    uint64_t none[MOST] = {0}, left = 0;
    static struct simulation s;
    int fired = 1;
    begin_simulation(&s, network, none, capacity);
    for (size_t i = 0; i < network->process_count; i++)
        left += iterations * network->processes[i].repetitions;
    while (fired) {
        fired = 0;
        for (size_t i = 0; i < network->process_count; i++) {
            if (s.started[i] == iterations * network->processes[i].repetitions || !can_start(&s, i))
                continue;
            start_one(&s, i);
            end_one(&s, 0);
            left--;
            fired = 1;
        }
    }
    return left == 0;
}

/* Several readers */

/* The channels of one process become those of one port, so that they share a rate in. */
static void share_ports(struct dal_spec *spec)
{
    struct dal_spec_network *network = &spec->network;
    for (size_t i = 0; i < network->channel_count; i++)
        for (size_t k = i + 1; k < network->channel_count; k++) {
            struct dal_spec_channel *a = &network->channels[i], *b = &network->channels[k];
            if (a->producer != b->producer || a->next_of_port || b->producer_port->channel != b)
                continue;
            b->producer_port->channel = NULL;
            b->producer_port = a->producer_port;
            b->rate_in = a->rate_in;
            a->next_of_port = b;
        }
}

/* Gives all edges from one process one rate, so that they can be of one port. */
static void share_rates(struct sample *sample)
{
    const uint64_t *q = sample->repetitions;
    for (size_t i = 0; i < sample->count; i++) {
        struct edge *edge = &sample->edges[i];
        uint64_t rate = 1;
        for (size_t k = 0; k < sample->count; k++) {
            uint64_t least =
                q[sample->edges[k].to] / dal_gcd(q[edge->from], q[sample->edges[k].to]);
            if (sample->edges[k].from == edge->from)
                rate = rate / dal_gcd(rate, least) * least;
        }
        edge->produce = rate;
        edge->consume = rate * q[edge->from] / q[edge->to];
        if (edge->from == edge->to)
            edge->initial = rate * (1 + below(2));
    }
}

/* A network with its graph */

struct subject {
    struct dal_spec *spec;
    struct dal_sdf_graph graph;
    uint64_t times[MOST], fixed[MOST], weight[MOST];
    struct dal_sdf_budget budget;
    struct dal_sdf_sizing sizing;
};

static void subject_take(struct subject *s, struct dal_spec *spec, const uint64_t *times)
{
    *s = (struct subject){.spec = spec};
    memcpy(s->times, times, spec->network.process_count * sizeof(*times));
    CU_ASSERT_FATAL(repetitions(s->spec) == DAL_OK);
    CU_ASSERT_FATAL(dal_spec_graph_init(&s->graph, &s->spec->network, s->times) == DAL_OK);
    s->budget = (struct dal_sdf_budget){.work = (uint64_t)1 << 32};
    for (size_t i = 0; i < MOST; i++)
        s->weight[i] = 1;
    s->sizing = (struct dal_sdf_sizing){
        .graph = &s->graph, .fixed = s->fixed, .weight = s->weight, .budget = &s->budget};
}

static void subject_init(struct subject *s, size_t processes, const struct edge *edges,
                         size_t count, const uint64_t *times)
{
    subject_take(s, build_spec(processes, edges, count), times);
}

/* Draws a network; with `shared`, each process has one output port. */
static void subject_draw(struct subject *s, size_t most_processes, size_t most_more, int shared)
{
    struct sample sample;
    struct dal_spec *spec;
    random_sample(&sample, most_processes, most_more);
    if (shared)
        share_rates(&sample);
    spec = build_spec(sample.processes, sample.edges, sample.count);
    if (shared)
        share_ports(spec);
    subject_take(s, spec, sample.times);
}

/* Returns the most that a channel of a port has, of initial tokens or of its least capacity. */
static uint64_t most_of_port(const struct subject *s, size_t first, int initial)
{
    uint64_t most = 0;
    for (size_t i = 0; i < s->graph.channel_count; i++) {
        const struct dal_sdf_channel *c = &s->graph.channels[i];
        uint64_t one = initial ? c->initial_tokens : c->least;
        if (c->first_of_port == first && one > most)
            most = one;
    }
    return most;
}

static void set_port(const struct subject *s, uint64_t *capacity, size_t first, uint64_t to)
{
    for (size_t i = 0; i < s->graph.channel_count; i++)
        if (s->graph.channels[i].first_of_port == first)
            capacity[i] = to;
}

static size_t count_several(const struct subject *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->graph.channel_count; i++)
        count += s->graph.channels[i].first_of_port != i;
    return count;
}

static void subject_finish(struct subject *s)
{
    dal_sdf_graph_finish(&s->graph);
    dal_spec_destroy(s->spec);
}

static struct dal_sdf_period period_of(struct subject *s, const uint64_t *capacity)
{
    struct dal_sdf_period period;
    CU_ASSERT_EQUAL(dal_sdf_period(&s->graph, capacity, &s->budget, &period), DAL_OK);
    return period;
}

/* Published results */

#define ONE_AT_ONCE(process)                                                                       \
    {                                                                                              \
        process, process, 1, 1, 1                                                                  \
    }

static const struct edge samplerate[] = {{0, 1, 1, 1, 0}, {1, 2, 2, 3, 0}, {2, 3, 2, 7, 0},
                                         {3, 4, 8, 7, 0}, {4, 5, 5, 1, 0}, ONE_AT_ONCE(0),
                                         ONE_AT_ONCE(1),  ONE_AT_ONCE(2),  ONE_AT_ONCE(3),
                                         ONE_AT_ONCE(4),  ONE_AT_ONCE(5)};
static const uint64_t samplerate_times[] = {5, 2, 3, 1, 4, 6};
static const struct edge h263decoder[] = {{0, 1, 594, 1, 0}, {1, 2, 1, 1, 0}, {2, 3, 1, 594, 0},
                                          ONE_AT_ONCE(0),    ONE_AT_ONCE(1),  ONE_AT_ONCE(3)};
static const uint64_t h263decoder_times[] = {13009, 559, 486, 5479};

/* Stuijk et al. 2006, figure 1 and its trade-offs. */
static const struct edge example[] = {
    {0, 1, 2, 3, 0}, {1, 2, 1, 2, 0}, ONE_AT_ONCE(0), ONE_AT_ONCE(1), ONE_AT_ONCE(2)};
static const uint64_t example_times[] = {1, 2, 2};

static const uint64_t free_loop = DAL_SDF_UNLIMITED;

static void check_period(struct subject *s, const uint64_t *capacity, size_t count, uint64_t wanted)
{
    uint64_t all[MOST];
    struct dal_sdf_period period;
    for (size_t i = 0; i < MOST; i++)
        all[i] = i < count ? capacity[i] : free_loop;
    period = period_of(s, all);
    CU_ASSERT(is_period(period, wanted, 1));
}

struct published {
    const char *name;
    size_t processes, channels, edges;
    const struct edge *list;
    const uint64_t *times;
    struct {
        uint64_t capacity[5], total, period;
    } minimum, fastest, between; /* total 0: none is published */
};

static const struct published published[] = {
    {.name = "samplerate",
     .processes = 6,
     .channels = 5,
     .edges = 11,
     .list = samplerate,
     .times = samplerate_times,
     .minimum = {{1, 4, 8, 14, 5}, 32, 1088},
     .fastest = {{2, 4, 8, 14, 6}, 34, 960},
     .between = {{1, 4, 8, 14, 6}, 33, 1029}},
    {.name = "h263decoder",
     .processes = 4,
     .channels = 3,
     .edges = 6,
     .list = h263decoder,
     .times = h263decoder_times,
     .minimum = {{594, 1, 594}, 1189, 633253},
     .fastest = {{618, 2, 604}, 1224, 332046},
     .between = {{594, 2, 594}, 1190, 345055}},
    {.name = "example",
     .processes = 3,
     .channels = 2,
     .edges = 5,
     .list = example,
     .times = example_times,
     .minimum = {{4, 2}, 6, 7},
     .fastest = {{7, 3}, 10, 4},
     .between = {{6, 3}, 9, 5}},
};

static void check_front(struct subject *s, const struct published *p,
                        const struct dal_sdf_buffers *minimum,
                        const struct dal_sdf_buffers *fastest)
{
    const struct dal_sdf_period unknown = {.verdict = DAL_SDF_UNKNOWN};
    struct dal_sdf_front front;
    int between = 0;
    CU_ASSERT_EQUAL(dal_sdf_pareto(&s->sizing, minimum, fastest->period, &front), DAL_OK);
    CU_ASSERT_FATAL(front.count > 2);
    CU_ASSERT(front.complete);
    CU_ASSERT_EQUAL(front.points[0].total, p->minimum.total);
    CU_ASSERT_EQUAL(front.points[front.count - 1].total, p->fastest.total);
    for (size_t i = 0; i < front.count; i++)
        between |= front.points[i].total == p->between.total &&
                   is_period(front.points[i].period, p->between.period, 1);
    CU_ASSERT(between);
    dal_sdf_front_finish(&front);
    CU_ASSERT_EQUAL(dal_sdf_pareto(&s->sizing, minimum, unknown, &front), DAL_OK);
    CU_ASSERT_FATAL(front.count > 2);
    CU_ASSERT_EQUAL(front.points[front.count - 1].total, p->fastest.total);
    dal_sdf_front_finish(&front);
}

static void check_published(const struct published *p)
{
    struct subject s;
    struct dal_sdf_buffers minimum, fastest;
    subject_init(&s, p->processes, p->list, p->edges, p->times);
    CU_ASSERT_EQUAL(dal_sdf_minimum(&s.sizing, &minimum), DAL_OK);
    CU_ASSERT(minimum.found);
    CU_ASSERT_EQUAL(minimum.total, p->minimum.total);
    CU_ASSERT_EQUAL(minimum.least, p->minimum.total);
    CU_ASSERT(!memcmp(minimum.capacity, p->minimum.capacity, p->channels * sizeof(uint64_t)));
    CU_ASSERT_EQUAL(dal_sdf_fastest(&s.sizing, &fastest), DAL_OK);
    CU_ASSERT(fastest.found);
    CU_ASSERT_EQUAL(fastest.total, p->fastest.total);
    CU_ASSERT_EQUAL(fastest.least, p->fastest.total);
    CU_ASSERT(is_period(fastest.period, p->fastest.period, 1));
    check_period(&s, fastest.capacity, p->channels, p->fastest.period);
    check_period(&s, p->minimum.capacity, p->channels, p->minimum.period);
    check_period(&s, p->between.capacity, p->channels, p->between.period);
    check_period(&s, p->fastest.capacity, p->channels, p->fastest.period);
    check_front(&s, p, &minimum, &fastest);
    dal_sdf_buffers_finish(&minimum);
    dal_sdf_buffers_finish(&fastest);
    subject_finish(&s);
}

static void test_published(void)
{
    for (size_t i = 0; i < sizeof(published) / sizeof(published[0]); i++)
        check_published(&published[i]);
}

/* Random networks */

static void random_capacities(const struct subject *s, uint64_t *capacity)
{
    for (size_t i = 0; i < s->graph.channel_count; i++) {
        const struct dal_sdf_channel *channel = &s->graph.channels[i];
        capacity[i] = channel->least + below(3) * channel->step + below(3);
    }
}

/* Repetitions, deadlock and period at given capacities agree with the simulator. */
static void test_random_periods(void)
{
    size_t periodic = 0, dead = 0, endless = 0, fractions = 0;
    for (int round = 0; round < 1000; round++) {
        struct sample sample;
        struct subject s;
        uint64_t capacity[MOST], over = 0, under = 0;
        struct dal_sdf_period period;
        struct dal_sdf_deadlock deadlock;
        int known;
        random_sample(&sample, 5, 3);
        subject_init(&s, sample.processes, sample.edges, sample.count, sample.times);
        random_capacities(&s, capacity);
        period = period_of(&s, capacity);
        CU_ASSERT_FATAL(simulate(&s.spec->network, s.times, capacity, &over, &under));
        CU_ASSERT(is_period(period, over, under));
        for (size_t i = 0; i < sample.count; i++)
            CU_ASSERT_EQUAL(s.spec->network.processes[sample.edges[i].from].repetitions *
                                sample.edges[i].produce,
                            s.spec->network.processes[sample.edges[i].to].repetitions *
                                sample.edges[i].consume);
        CU_ASSERT_EQUAL(dal_sdf_deadlock_find(&deadlock, &s.graph, capacity, &s.budget, &known),
                        DAL_OK);
        CU_ASSERT(known);
        CU_ASSERT_EQUAL(deadlock.dead, under == 0);
        dal_sdf_deadlock_finish(&deadlock);
        dead += under == 0;
        endless += under > 0 && over == 0;
        periodic += under > 0 && over > 0;
        fractions += period.verdict == DAL_SDF_PERIODIC && period.under > 1;
        subject_finish(&s);
    }
    printf("%zu periodic (%zu fractions), %zu endless, %zu dead ", periodic, fractions, endless,
           dead);
    CU_ASSERT(periodic > 500 && dead > 50 && endless > 0 && fractions > 5);
}

/* Whether any capacities of a total up to `left` are good enough: live, or as fast as `period`.
 * With `faster`, they must be faster. */
static int is_beaten(struct subject *s, uint64_t *capacity, size_t channel, uint64_t left,
                     const struct dal_sdf_period *period, int faster)
{
    uint64_t least;
    if (channel == s->graph.channel_count)
        return period ? dal_sdf_compare(period_of(s, capacity), *period) <= -faster
                      : run_iterations(&s->spec->network, capacity, 1);
    if (!dal_sdf_is_counted(&s->graph, channel)) {
        if (s->graph.channels[channel].first_of_port == channel)
            set_port(s, capacity, channel, (uint64_t)1 << 40);
        return is_beaten(s, capacity, channel + 1, left, period, faster);
    }
    least = most_of_port(s, channel, 0);
    for (uint64_t more = 0; least + more <= left; more++) {
        set_port(s, capacity, channel, least + more);
        if (is_beaten(s, capacity, channel + 1, left - least - more, period, faster))
            return 1;
    }
    return 0;
}

static void limit_loops(const struct subject *s, uint64_t *capacity)
{
    for (size_t i = 0; i < s->graph.channel_count; i++)
        if (capacity[i] == DAL_SDF_UNLIMITED)
            capacity[i] = (uint64_t)1 << 40;
}

/* 100 iterations with the minimum, none with one less anywhere; and nothing of a smaller total. */
static void check_minimum(struct subject *s, const struct dal_sdf_buffers *minimum, int search)
{
    uint64_t capacity[MOST];
    size_t count = s->graph.channel_count;
    memcpy(capacity, minimum->capacity, count * sizeof(*capacity));
    limit_loops(s, capacity);
    CU_ASSERT(run_iterations(&s->spec->network, capacity, 100));
    CU_ASSERT_EQUAL(minimum->least, minimum->total);
    for (size_t i = 0; i < count; i++) {
        if (!dal_sdf_is_counted(&s->graph, i) || capacity[i] <= most_of_port(s, i, 1))
            continue;
        set_port(s, capacity, i, capacity[i] - 1);
        CU_ASSERT(!run_iterations(&s->spec->network, capacity, 100));
        set_port(s, capacity, i, capacity[i] + 1);
    }
    if (search)
        CU_ASSERT(!is_beaten(s, capacity, 0, minimum->total - 1, NULL, 0));
}

/* counts: live, dead, and live beyond the bound */
static void draw_minimum(int shared, size_t counts[3])
{
    struct subject s;
    struct dal_sdf_buffers minimum;
    uint64_t bound = 0, large[MOST];
    subject_draw(&s, 5, 3, shared);
    for (size_t i = 0; i < s.graph.channel_count; i++)
        bound += dal_sdf_is_counted(&s.graph, i) ? most_of_port(&s, i, 0) : 0;
    CU_ASSERT_EQUAL(dal_sdf_minimum(&s.sizing, &minimum), DAL_OK);
    for (size_t i = 0; i < MOST; i++)
        large[i] = (uint64_t)1 << 40;
    if (minimum.found)
        check_minimum(&s, &minimum, minimum.total <= bound + 6 && s.graph.channel_count < 6);
    else
        CU_ASSERT(!run_iterations(&s.spec->network, large, 1));
    counts[0] += minimum.found != 0;
    counts[1] += !minimum.found;
    counts[2] += minimum.found && minimum.total > bound;
    dal_sdf_buffers_finish(&minimum);
    subject_finish(&s);
}

static void test_random_minimum(void)
{
    for (int shared = 0; shared < 2; shared++) {
        size_t counts[3] = {0};
        for (int round = 0; round < (shared ? 500 : 1000); round++)
            draw_minimum(shared, counts);
        printf("%zu live (%zu beyond the bound), %zu dead ", counts[0], counts[2], counts[1]);
        CU_ASSERT(counts[0] > 250 && counts[1] > 20 && counts[2] > 10);
    }
}

/* The fastest capacities are as fast as any, no smaller total is, and the front is what trying all
 * totals finds. */
static void check_fastest(struct subject *s, const struct dal_sdf_buffers *minimum,
                          const struct dal_sdf_buffers *fastest)
{
    uint64_t capacity[MOST];
    struct dal_sdf_front front;
    CU_ASSERT_EQUAL(fastest->least, fastest->total);
    CU_ASSERT_EQUAL(dal_sdf_compare(period_of(s, fastest->capacity), fastest->period), 0);
    memcpy(capacity, fastest->capacity, s->graph.channel_count * sizeof(*capacity));
    for (size_t i = 0; i < s->graph.channel_count; i++)
        capacity[i] = dal_sdf_is_loop(&s->graph.channels[i]) ? DAL_SDF_UNLIMITED : 10000;
    CU_ASSERT_EQUAL(dal_sdf_compare(period_of(s, capacity), fastest->period), 0);
    CU_ASSERT_EQUAL(dal_sdf_pareto(&s->sizing, minimum, fastest->period, &front), DAL_OK);
    CU_ASSERT(front.complete);
    CU_ASSERT_FATAL(front.count > 0);
    CU_ASSERT_EQUAL(front.points[0].total, minimum->total);
    CU_ASSERT_EQUAL(front.points[front.count - 1].total, fastest->total);
    for (size_t i = 0; i < front.count; i++) {
        CU_ASSERT_EQUAL(
            dal_sdf_compare(period_of(s, front.points[i].capacity), front.points[i].period), 0);
        CU_ASSERT(
            !is_beaten(s, capacity, 0, front.points[i].total - 1, &front.points[i].period, 0));
        CU_ASSERT(i + 1 == front.count || !is_beaten(s, capacity, 0, front.points[i + 1].total - 1,
                                                     &front.points[i].period, 1));
    }
    dal_sdf_front_finish(&front);
}

/* counts: checked, checked beyond the minimum, without a bound */
static void draw_fastest(int shared, size_t counts[3])
{
    struct subject s;
    struct dal_sdf_buffers minimum, fastest;
    subject_draw(&s, 3, 2, shared);
    CU_ASSERT_EQUAL(dal_sdf_minimum(&s.sizing, &minimum), DAL_OK);
    CU_ASSERT_EQUAL(dal_sdf_fastest(&s.sizing, &fastest), DAL_OK);
    CU_ASSERT(minimum.found || !fastest.found);
    if (fastest.found && fastest.total <= minimum.total + 30 && (!shared || count_several(&s))) {
        check_fastest(&s, &minimum, &fastest);
        counts[0]++;
        counts[1] += fastest.total > minimum.total;
    }
    counts[2] += fastest.period.verdict == DAL_SDF_UNBOUNDED;
    dal_sdf_buffers_finish(&minimum);
    dal_sdf_buffers_finish(&fastest);
    subject_finish(&s);
}

static void test_random_fastest(void)
{
    for (int shared = 0; shared < 2; shared++) {
        size_t counts[3] = {0};
        for (int round = 0; round < 400; round++)
            draw_fastest(shared, counts);
        printf("%zu checked (%zu beyond the minimum), %zu without a bound ", counts[0], counts[1],
               counts[2]);
        CU_ASSERT(counts[0] > 60 && counts[1] > 20 && counts[2] > 20);
    }
}

/* Every deadlock has a witness whose processes do wait for each other, and a fix that works and of
 * which nothing can be left out. */
static void apply(struct dal_spec_network *network, uint64_t *capacity,
                  const struct dal_sdf_deadlock *deadlock)
{
    for (size_t i = 0; i < network->channel_count; i++) {
        network->channels[i].initial_tokens += deadlock->more_tokens[i];
        capacity[i] += deadlock->more_capacity[i] + deadlock->more_tokens[i];
    }
}

/* Takes one off each entry of the fix in turn. */
static void check_needed(struct subject *s, uint64_t *capacity,
                         const struct dal_sdf_deadlock *deadlock)
{
    struct dal_spec_network *network = &s->spec->network;
    for (size_t i = 0; i < network->channel_count; i++) {
        struct dal_spec_channel *channel = &network->channels[i];
        uint64_t tokens = deadlock->more_tokens[i] > 0;
        if (s->graph.channels[i].first_of_port != i || (!tokens && !deadlock->more_capacity[i]))
            continue;
        set_port(s, capacity, i, capacity[i] - 1);
        channel->initial_tokens -= tokens;
        CU_ASSERT(!run_iterations(network, capacity, 1));
        set_port(s, capacity, i, capacity[i] + 1);
        channel->initial_tokens += tokens;
    }
}

static void check_witness(const struct subject *s, const struct dal_sdf_deadlock *deadlock)
{
    CU_ASSERT(deadlock->blocked_count >= deadlock->cycle_count);
    CU_ASSERT_FATAL(deadlock->cycle_count > 0);
    for (size_t i = 0; i < deadlock->cycle_count; i++) {
        const struct dal_sdf_wait *wait = &deadlock->cycle[i];
        const struct dal_sdf_channel *channel = &s->graph.channels[wait->channel];
        size_t next = deadlock->cycle[(i + 1) % deadlock->cycle_count].process;
        CU_ASSERT(wait->have < wait->need);
        CU_ASSERT_EQUAL(wait->process, wait->space ? channel->producer : channel->consumer);
        CU_ASSERT_EQUAL(next, wait->space ? channel->consumer : channel->producer);
    }
}

/* counts: fixed by size, by tokens. Ports share room, so that of their tokens one may be too many.
 */
static void draw_fix(int shared, size_t counts[2])
{
    struct subject s;
    struct dal_sdf_deadlock deadlock;
    uint64_t capacity[MOST];
    int known, needs_tokens = 0;
    subject_draw(&s, 5, 3, shared);
    for (size_t i = 0; i < s.graph.channel_count; i++)
        capacity[i] = most_of_port(&s, s.graph.channels[i].first_of_port, 0);
    CU_ASSERT_EQUAL(dal_sdf_deadlock_find(&deadlock, &s.graph, capacity, &s.budget, &known),
                    DAL_OK);
    if (deadlock.dead) {
        check_witness(&s, &deadlock);
        CU_ASSERT(deadlock.has_fix && deadlock.is_smallest);
        for (size_t i = 0; i < s.graph.channel_count; i++)
            needs_tokens |= deadlock.more_tokens[i] > 0;
        apply(&s.spec->network, capacity, &deadlock);
        CU_ASSERT(run_iterations(&s.spec->network, capacity, 10));
        for (size_t i = 0; i < s.graph.channel_count; i++)
            CU_ASSERT_EQUAL(capacity[i], capacity[s.graph.channels[i].first_of_port]);
        if (!shared || !needs_tokens)
            check_needed(&s, capacity, &deadlock);
        counts[needs_tokens]++;
    }
    dal_sdf_deadlock_finish(&deadlock);
    subject_finish(&s);
}

static void test_random_fixes(void)
{
    for (int shared = 0; shared < 2; shared++) {
        size_t counts[2] = {0};
        for (int round = 0; round < (shared ? 1500 : 3000); round++)
            draw_fix(shared, counts);
        printf("%zu fixed by size, %zu by tokens ", counts[0], counts[1]);
        CU_ASSERT(counts[0] > 20 && counts[1] > 20);
    }
}

/* Whether the network is consistent without the channels of a set. */
static int fits_without(const struct sample *sample, const struct dal_spec_network *network,
                        unsigned left_out)
{
    struct edge edges[MOST];
    size_t count = 0;
    struct dal_spec *spec;
    int status;
    for (size_t i = 0; i < sample->count; i++)
        if (!(left_out >> i & 1)) {
            edges[count] = sample->edges[i];
            edges[count++].produce = network->channels[i].rate_in;
        }
    spec = build_spec(sample->processes, edges, count);
    status = repetitions(spec);
    dal_spec_destroy(spec);
    return status == DAL_OK;
}

/* By trying all sets that are smaller. */
static int is_fewest(const struct sample *sample, const struct dal_spec_network *network,
                     size_t changes)
{
    for (unsigned set = 0; set < 1u << sample->count; set++)
        if ((size_t)__builtin_popcount(set) < changes && fits_without(sample, network, set))
            return 0;
    return 1;
}

static void apply_change(struct dal_spec_network *network, const struct dal_sdf_change *change)
{
    size_t changed = 0;
    for (size_t i = 0; i < network->channel_count; i++) {
        struct dal_spec_channel *c = &network->channels[i];
        changed += c->rate_in != change->rate_in[i] || c->rate_out != change->rate_out[i];
        c->rate_in = change->rate_in[i];
        c->rate_out = change->rate_out[i];
    }
    CU_ASSERT_EQUAL(changed, change->count);
    for (size_t i = 0; i < network->channel_count; i++)
        CU_ASSERT_EQUAL(network->channels[i].rate_in,
                        network->channels[i].producer_port->channel->rate_in);
}

static int contradiction_of(struct dal_diags *diags, const struct dal_spec_network *network,
                            struct dal_sdf_contradiction *witness)
{
    struct dal_sdf_graph graph;
    int status;
    CU_ASSERT_EQUAL_FATAL(dal_spec_graph_init(&graph, network, NULL), DAL_OK);
    status = dal_sdf_repetitions(diags, &graph, witness);
    dal_sdf_graph_finish(&graph);
    return status;
}

/* A contradiction is solved by the change that comes with it, and no smaller one would do. */
static void check_contradiction(const struct sample *sample, int shared, size_t *counts)
{
    struct dal_sdf_contradiction witness;
    struct dal_diags diags;
    struct dal_spec *spec = build_spec(sample->processes, sample->edges, sample->count);
    if (shared)
        share_ports(spec);
    dal_diags_init(&diags);
    if (contradiction_of(&diags, &spec->network, &witness)) {
        CU_ASSERT_FATAL(witness.count > 0);
        CU_ASSERT_NOT_EQUAL(witness.near, witness.far);
        CU_ASSERT_FATAL(witness.change.found);
        CU_ASSERT(shared || witness.change.is_smallest);
        if (witness.change.is_smallest)
            CU_ASSERT(is_fewest(sample, &spec->network, witness.change.count));
        counts[0] += witness.change.is_smallest;
        counts[witness.change.count < 3 ? witness.change.count : 3]++;
        apply_change(&spec->network, &witness.change);
        CU_ASSERT_EQUAL(repetitions(spec), DAL_OK);
    }
    dal_sdf_contradiction_finish(&witness);
    dal_diags_finish(&diags);
    dal_spec_destroy(spec);
}

static void test_random_contradictions(void)
{
    for (int shared = 0; shared < 2; shared++) {
        size_t counts[4] = {0};
        for (int round = 0; round < 1500; round++) {
            struct sample sample;
            size_t wrong = 1 + below(4);
            random_sample(&sample, 5, 6);
            for (size_t i = 0; i < wrong; i++)
                sample.edges[below(sample.count)].produce += 1 + below(3);
            check_contradiction(&sample, shared, counts);
        }
        printf("%zu %zu %zu changed, %zu proven ", counts[1], counts[2], counts[3], counts[0]);
        CU_ASSERT(counts[1] > 50 && counts[2] > 20 && counts[0] > 50);
    }
}

/* Wrong rates in a network too large for the search to prove anything still get others that fit. */
static void test_large_contradiction(void)
{
    enum { LENGTH = 3000 };
    struct edge *edges = dal_calloc(2 * LENGTH, sizeof(*edges));
    struct dal_sdf_contradiction witness;
    struct dal_diags diags;
    struct dal_spec *spec;
    for (size_t i = 0; i < LENGTH; i++) {
        edges[2 * i] = (struct edge){i, i + 1, 1, 1, 0};
        edges[2 * i + 1] = (struct edge){below(LENGTH), below(LENGTH), 1 + below(2), 1, 0};
    }
    spec = build_spec(LENGTH + 1, edges, 2 * LENGTH);
    dal_diags_init(&diags);
    CU_ASSERT_EQUAL(contradiction_of(&diags, &spec->network, &witness), DAL_ERR_INVALID);
    CU_ASSERT_FATAL(witness.change.found);
    apply_change(&spec->network, &witness.change);
    CU_ASSERT_EQUAL(repetitions(spec), DAL_OK);
    dal_sdf_contradiction_finish(&witness);
    dal_diags_finish(&diags);
    dal_spec_destroy(spec);
    dal_free(edges);
}

/* Limits */

/* A process that may fire several times at once, said directly and by a channel to itself. */
static void test_at_once(void)
{
    const struct edge edges[] = {{0, 1, 3, 2, 0}, {0, 0, 1, 1, 2}, {1, 1, 1, 1, 1}};
    const uint64_t times[] = {7, 5}, capacity[] = {9, DAL_SDF_UNLIMITED, DAL_SDF_UNLIMITED};
    struct subject a, b;
    subject_init(&a, 2, edges, 3, times);
    subject_init(&b, 2, edges, 1, times);
    b.graph.processes[0].at_once = 2;
    b.graph.processes[1].at_once = 1;
    CU_ASSERT_EQUAL(dal_sdf_compare(period_of(&a, capacity), period_of(&b, capacity)), 0);
    CU_ASSERT_EQUAL(period_of(&b, capacity).verdict, DAL_SDF_PERIODIC);
    CU_ASSERT(is_period(period_of(&b, &free_loop), 15, 1));
    subject_finish(&a);
    subject_finish(&b);
}

/* With next to no budget nothing is said that is not so. */
static void test_cut_off(void)
{
    struct subject s;
    struct dal_sdf_buffers fastest;
    uint64_t all[MOST];
    size_t found = 0, open = 0;
    for (size_t i = 0; i < MOST; i++)
        all[i] = DAL_SDF_UNLIMITED;
    subject_init(&s, 4, h263decoder, 6, h263decoder_times);
    for (uint64_t work = 1; work < (uint64_t)1 << 24; work *= 2) {
        s.budget = (struct dal_sdf_budget){.work = work};
        CU_ASSERT_EQUAL(dal_sdf_fastest(&s.sizing, &fastest), DAL_OK);
        CU_ASSERT(fastest.least <= 1224);
        if (fastest.found) {
            CU_ASSERT(fastest.total >= 1224);
            found++;
            open += fastest.least < fastest.total;
        }
        dal_sdf_buffers_finish(&fastest);
    }
    CU_ASSERT(found > 0);
    CU_ASSERT(open > 0);
    s.budget = (struct dal_sdf_budget){.work = 5};
    CU_ASSERT_EQUAL(period_of(&s, all).verdict, DAL_SDF_UNKNOWN);
    subject_finish(&s);
}

/* Large networks: printed, not asserted, since it depends on the machine. */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

enum { MANY = 10000 };

static double report_time(const char *what, double start)
{
    double now = seconds();
    printf("\n    %s: %.3f s", what, now - start);
    return now;
}

/* Consistency, deadlock and minimum capacities of a network with `count` channels. */
static void measure_graph(const char *name, size_t processes, const struct edge *edges,
                          size_t count)
{
    struct dal_spec *spec = build_spec(processes, edges, count);
    uint64_t *times = dal_calloc(processes, sizeof(*times));
    uint64_t *none = dal_calloc(count, sizeof(*none)), *one = dal_calloc(count, sizeof(*one));
    struct dal_sdf_budget budget = {.work = UINT64_MAX};
    struct dal_sdf_buffers minimum;
    struct dal_sdf_deadlock deadlock;
    struct dal_sdf_graph graph;
    struct dal_sdf_sizing sizing = {
        .graph = &graph, .fixed = none, .weight = one, .budget = &budget};
    double start = seconds();
    int known;
    printf("\n  %s:", name);
    CU_ASSERT_EQUAL(repetitions(spec), DAL_OK);
    CU_ASSERT_EQUAL(dal_spec_graph_init(&graph, &spec->network, times), DAL_OK);
    for (size_t i = 0; i < count; i++)
        one[i] = DAL_SDF_UNLIMITED;
    CU_ASSERT_EQUAL(dal_sdf_deadlock_find(&deadlock, &graph, one, &budget, &known), DAL_OK);
    CU_ASSERT(known && !deadlock.dead);
    start = report_time("consistency, repetition vector, deadlock", start);
    for (size_t i = 0; i < count; i++)
        one[i] = 1;
    CU_ASSERT_EQUAL(dal_sdf_minimum(&sizing, &minimum), DAL_OK);
    report_time("minimum capacities", start);
    CU_ASSERT(minimum.found);
    printf(" (%" PRIu64 " tokens, %s)\n", minimum.total,
           minimum.least == minimum.total ? "proven" : "not proven");
    dal_sdf_deadlock_finish(&deadlock);
    dal_sdf_buffers_finish(&minimum);
    dal_sdf_graph_finish(&graph);
    dal_spec_destroy(spec);
    dal_free(times);
    dal_free(none);
    dal_free(one);
}

static void test_many(void)
{
    static struct edge edges[2 * MANY];
    /* a ladder with rates up and down, closed to a ring */
    for (size_t i = 0; i < MANY; i++) {
        size_t next = (i + 1) % MANY;
        uint64_t here = 1 + i % 3, there = 1 + next % 3;
        edges[2 * i] = (struct edge){i, next, 6 / here, 6 / there, next ? 0 : 12};
        edges[2 * i + 1] = (struct edge){next, i, 6 / there, 6 / here, next ? 12 : 0};
    }
    measure_graph("a ring of 10,000 processes and 20,000 channels", MANY, edges, 2 * MANY);
    /* ways side by side, of different rates, so that the bounds are not enough */
    for (size_t i = 0; i + 1 < MANY; i++) {
        uint64_t here = 1 + i % 3, there = 1 + (i + 1) % 3, far;
        size_t to = i + 2 < MANY ? i + 2 : i + 1;
        far = 1 + to % 3;
        edges[2 * i] = (struct edge){i, i + 1, 6 / here, 6 / there, 0};
        edges[2 * i + 1] = (struct edge){i, to, 6 / here, 6 / far, 0};
    }
    measure_graph("a braid of 10,000 processes and 19,998 channels", MANY, edges, 2 * MANY - 2);
}

static void test_million(void)
{
    const struct edge edges[] = {{0, 1, 1000000, 1, 0}, {1, 2, 1, 1, 0}, {2, 3, 1, 1000000, 0},
                                 ONE_AT_ONCE(0),        ONE_AT_ONCE(1),  ONE_AT_ONCE(3)};
    const uint64_t capacity[] = {1000024, 5, 1000007, free_loop, free_loop, free_loop};
    struct subject s;
    double start;
    subject_init(&s, 4, edges, 6, h263decoder_times);
    start = seconds();
    CU_ASSERT(is_period(period_of(&s, capacity), 559000000, 1));
    report_time("period of 2,000,002 firings", start);
    printf("\n");
    subject_finish(&s);
}

int main(void)
{
    static const struct test tests[] = {
        {"published results", test_published},
        {"random networks: period", test_random_periods},
        {"random networks: minimum", test_random_minimum},
        {"random networks: fastest and trade-offs", test_random_fastest},
        {"random networks: a way out of the deadlock", test_random_fixes},
        {"random networks: a way out of the contradiction", test_random_contradictions},
        {"a large network: a way out of many contradictions", test_large_contradiction},
        {"several firings at once", test_at_once},
        {"cut off", test_cut_off},
        {"many processes", test_many},
        {"a million repetitions", test_million},
    };
    return run_suite("sdf time", tests, sizeof(tests) / sizeof(tests[0]));
}
