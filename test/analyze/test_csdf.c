/*
 * Cyclo-static graphs: random ones, written as XML and analysed, against a simulator that is as
 * simple as it can be. It shares nothing with the analysis: its graphs are small arrays, its time
 * goes on by one unit, its states are all kept, and its capacities are tried one by one.
 * DAL_TEST_GRAPHS=N draws so many.
 */
#include "rt/base/error.h"
#include "spec/analyse/graph.h"
#include "spec/dialects/sdf3/sdf3.h"
#include "spec/load/load.h"
#include "test/suite.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    ACTORS = 4,
    ARCS = 6,
    PHASES = 4,
    INITIAL = 2,
    ALL = INITIAL + PHASES,
    FLYING = 64,
    MOMENTS = 2000,
    INSTANT = 400
};

/* The graph, as it is drawn. Sequences have the actor's `initial` entries, which come once, and
 * `phases` of a cycle behind them. */
struct actor {
    int initial, phases, time[ALL];
    int cycles; /* of an iteration, by hand */
};

struct arc {
    int from, to, tokens, size; /* size: 0 for none */
    int writes[ALL], reads[ALL];
};

struct csdf {
    struct actor actors[ACTORS];
    struct arc arcs[ARCS];
    int actor_count, arc_count;
    int most_initial;
};

static uint64_t drawn = 88172645463325252;

static int draw(int limit)
{
    drawn ^= drawn << 13;
    drawn ^= drawn >> 7;
    drawn ^= drawn << 17;
    return (int)(drawn % (uint64_t)limit);
}

static int common(int a, int b)
{
    return b ? common(b, a % b) : a;
}

/* A sum as a sequence: zeros are likely. */
static void deal(int *sequence, int length, int sum)
{
    memset(sequence, 0, PHASES * sizeof(*sequence));
    while (sum > 0) {
        int some = 1 + draw(sum);
        sequence[draw(length)] += some;
        sum -= some;
    }
}

static void draw_arc(struct csdf *g, int from, int to)
{
    static const int cycles[] = {1, 2, 3, 4, 6};
    struct arc *arc = &g->arcs[g->arc_count++];
    struct actor *a = &g->actors[from], *b = &g->actors[to];
    int least;
    if (a->cycles == 0)
        a->cycles = cycles[draw(5)];
    if (b->cycles == 0)
        b->cycles = cycles[draw(5)];
    least = 1 + draw(2);
    *arc = (struct arc){.from = from, .to = to};
    deal(arc->writes + a->initial, a->phases, least * b->cycles / common(a->cycles, b->cycles));
    deal(arc->reads + b->initial, b->phases, least * a->cycles / common(a->cycles, b->cycles));
    for (int i = 0; i < a->initial; i++)
        arc->writes[i] = draw(4);
    for (int i = 0; i < b->initial; i++)
        arc->reads[i] = draw(4);
    arc->tokens = from == to ? 1 + draw(4) : draw(3) ? 0 : draw(9);
}

static void draw_graph(struct csdf *g, int most_initial)
{
    memset(g, 0, sizeof(*g));
    g->most_initial = most_initial;
    g->actor_count = 1 + draw(ACTORS);
    for (int i = 0; i < g->actor_count; i++) {
        g->actors[i].phases = 1 + draw(PHASES);
        g->actors[i].initial = most_initial ? draw(most_initial + 1) : 0;
        for (int k = 0; k < g->actors[i].initial + g->actors[i].phases; k++)
            g->actors[i].time[k] = k > 0 && i % 2 ? g->actors[i].time[0] : draw(5);
    }
    for (int i = 1; i < g->actor_count; i++)
        draw(2) ? draw_arc(g, draw(i), i) : draw_arc(g, i, draw(i));
    for (int more = draw(3); more > 0 && g->arc_count < ARCS; more--)
        draw_arc(g, draw(g->actor_count), draw(g->actor_count));
    for (int i = 0; i < g->actor_count; i++)
        if (g->arc_count < ARCS && draw(2))
            draw_arc(g, i, i);
    /* Sometimes a rate fits no more, and the numbers of cycles are others. */
    if (g->arc_count > 0 && draw(10) == 0) {
        struct arc *arc = &g->arcs[draw(g->arc_count)];
        arc->reads[g->actors[arc->to].initial] += 1 + draw(3);
    }
}

static int sum_of(const int *sequence, int length)
{
    int sum = 0;
    for (int i = 0; i < length; i++)
        sum += sequence[i];
    return sum;
}

/* Numbers of cycles: of the first actor 1, 2, 3, .. until all others are whole numbers. Returns 0
 * when there are none. */
static int try_cycles(struct csdf *g, int first)
{
    int known = 1, again = 1;
    for (int i = 0; i < g->actor_count; i++)
        g->actors[i].cycles = 0;
    g->actors[0].cycles = first;
    while (again) {
        again = 0;
        for (int i = 0; i < g->arc_count; i++) {
            const struct arc *arc = &g->arcs[i];
            struct actor *a = &g->actors[arc->from], *b = &g->actors[arc->to];
            int in = sum_of(arc->writes + a->initial, a->phases);
            int out = sum_of(arc->reads + b->initial, b->phases);
            if (a->cycles && b->cycles && a->cycles * in != b->cycles * out)
                return 0;
            if (!a->cycles == !b->cycles)
                continue;
            if (a->cycles ? a->cycles * in % out : b->cycles * out % in)
                return 0;
            if (a->cycles)
                b->cycles = a->cycles * in / out;
            else
                a->cycles = b->cycles * out / in;
            known++;
            again = 1;
        }
    }
    return known == g->actor_count;
}

static int find_cycles(struct csdf *g)
{
    for (int first = 1; first < 3000; first++)
        if (try_cycles(g, first))
            return 1;
    return 0;
}

/* The simulator */

struct flying {
    int phase, left;
};

struct moment {
    int tokens[ARCS], space[ARCS], next[ACTORS], count[ACTORS];
    struct flying flying[ACTORS][FLYING]; /* the oldest first */
};

static struct moment moments[MOMENTS];
static long started_at[MOMENTS];
static int crowded; /* more firings would have been under way than there is room for */

static void begin_moment(const struct csdf *g, const int *sizes, struct moment *m)
{
    memset(m, 0, sizeof(*m));
    for (int i = 0; i < g->arc_count; i++) {
        m->tokens[i] = g->arcs[i].tokens;
        m->space[i] = sizes[i] - m->tokens[i];
    }
}

static int may_start(const struct csdf *g, const struct moment *m, int actor)
{
    for (int i = 0; i < g->arc_count; i++) {
        const struct arc *arc = &g->arcs[i];
        if (arc->from == actor && m->space[i] < arc->writes[m->next[actor]])
            return 0;
        if (arc->to == actor && m->tokens[i] < arc->reads[m->next[actor]])
            return 0;
    }
    crowded |= m->count[actor] == FLYING;
    return m->count[actor] < FLYING;
}

static void start_phase(const struct csdf *g, struct moment *m, int actor)
{
    int phase = m->next[actor];
    for (int i = 0; i < g->arc_count; i++) {
        if (g->arcs[i].from == actor)
            m->space[i] -= g->arcs[i].writes[phase];
        if (g->arcs[i].to == actor)
            m->tokens[i] -= g->arcs[i].reads[phase];
    }
    m->flying[actor][m->count[actor]++] =
        (struct flying){.phase = phase, .left = g->actors[actor].time[phase]};
    m->next[actor] = phase + 1 < g->actors[actor].initial + g->actors[actor].phases
                         ? phase + 1
                         : g->actors[actor].initial;
}

static void end_oldest(const struct csdf *g, struct moment *m, int actor)
{
    int phase = m->flying[actor][0].phase;
    for (int i = 0; i < g->arc_count; i++) {
        if (g->arcs[i].from == actor)
            m->tokens[i] += g->arcs[i].writes[phase];
        if (g->arcs[i].to == actor)
            m->space[i] += g->arcs[i].reads[phase];
    }
    m->count[actor]--;
    memmove(m->flying[actor], m->flying[actor] + 1,
            (size_t)m->count[actor] * sizeof(struct flying));
    memset(&m->flying[actor][m->count[actor]], 0, sizeof(struct flying));
}

/* All that happens now. Returns how often the first actor started, -1 when there is no end to it.
 */
static long settle(const struct csdf *g, struct moment *m)
{
    long first = 0, all = 0;
    for (int again = 1; again;) {
        again = 0;
        for (int i = 0; i < g->actor_count; i++) {
            while (m->count[i] && m->flying[i][0].left == 0) {
                end_oldest(g, m, i);
                again = 1;
            }
            while (may_start(g, m, i)) {
                start_phase(g, m, i);
                first += i == 0;
                again = 1;
                if (++all > INSTANT)
                    return -1;
            }
        }
    }
    return first;
}

/* One unit of time. Returns 0 when nothing is under way. */
static int pass_unit(const struct csdf *g, struct moment *m)
{
    int flying = 0;
    for (int i = 0; i < g->actor_count; i++)
        for (int k = 0; k < m->count[i]; k++) {
            flying = 1;
            if (m->flying[i][k].left > 0)
                m->flying[i][k].left--;
        }
    return flying;
}

enum outcome { RECURS, DEAD, ENDLESS, TOO_LONG };

/* Time units, and starts of the first actor in them, between two moments that are alike. */
static enum outcome simulate(const struct csdf *g, const int *sizes, long *units, long *starts)
{
    static struct moment m;
    long total = 0;
    crowded = 0;
    begin_moment(g, sizes, &m);
    for (long now = 0; now < MOMENTS; now++) {
        long first = settle(g, &m);
        if (first < 0)
            return ENDLESS;
        if (crowded)
            return TOO_LONG;
        total += first;
        moments[now] = m;
        started_at[now] = total;
        for (long i = 0; i < now; i++) {
            if (memcmp(&moments[i], &m, sizeof(m)) != 0)
                continue;
            *units = now - i;
            *starts = total - started_at[i];
            return *starts ? RECURS : DEAD;
        }
        if (!pass_unit(g, &m))
            return DEAD;
    }
    return TOO_LONG;
}

/* One iteration, firing by firing. With initial phases, an actor may be ahead of another one by
 * some iterations: then of 100, each must get through the first 50. */
static int gets_through(const struct csdf *g, const int *sizes)
{
    static struct moment m;
    int left[ACTORS], fired = 1, rest = 0, most = g->most_initial ? 100 : 1;
    begin_moment(g, sizes, &m);
    for (int i = 0; i < g->actor_count; i++)
        left[i] = g->actors[i].initial + most * g->actors[i].cycles * g->actors[i].phases;
    while (fired) {
        fired = 0;
        for (int i = 0; i < g->actor_count; i++)
            for (; left[i] && may_start(g, &m, i); left[i]--) {
                start_phase(g, &m, i);
                end_oldest(g, &m, i);
                fired = 1;
            }
    }
    for (int i = 0; i < g->actor_count; i++)
        rest += left[i] > most / 2 * g->actors[i].cycles * g->actors[i].phases;
    return rest == 0;
}

/* The file, and what the analysis says of it */

static void print_sequence(FILE *out, const char *name, const int *sequence, int initial,
                           int length)
{
    fprintf(out, " %s=\"", name);
    for (int i = 0; i < initial + length; i++)
        fprintf(out, "%s%d", i == 0 ? "" : i == initial ? ";" : ",", sequence[i]);
    fputc('"', out);
}

static void print_arc(FILE *out, const struct csdf *g, int number)
{
    const struct arc *arc = &g->arcs[number];
    fprintf(out, "<sw_channel name=\"c%d\" initialtokens=\"%d\"", number, arc->tokens);
    if (arc->size)
        fprintf(out, " size=\"%d\"", arc->size);
    print_sequence(out, "tokenratein", arc->writes, 0, g->actors[arc->from].phases);
    print_sequence(out, "tokenrateout", arc->reads, 0, g->actors[arc->to].phases);
    fprintf(out,
            "><port type=\"input\" name=\"i\"/><port type=\"output\" name=\"o\"/></sw_channel>\n"
            "<connection name=\"f%d\"><origin name=\"p%d\"><port name=\"o%d\"/></origin>"
            "<target name=\"c%d\"><port name=\"i\"/></target></connection>\n"
            "<connection name=\"t%d\"><origin name=\"c%d\"><port name=\"o\"/></origin>"
            "<target name=\"p%d\"><port name=\"i%d\"/></target></connection>\n",
            number, arc->from, number, number, number, number, arc->to, number);
}

/* As one number, if that is enough and ports have sequences. */
static void print_times(FILE *out, const struct csdf *g, int actor)
{
    const struct actor *a = &g->actors[actor];
    int ports = 0, same = 1;
    for (int i = 0; i < g->arc_count; i++)
        ports += (g->arcs[i].from == actor) + (g->arcs[i].to == actor);
    for (int i = 1; i < a->phases; i++)
        same &= a->time[i] == a->time[0];
    print_sequence(out, "executiontime", a->time, 0, ports && same ? 1 : a->phases);
}

static void write_graph(const struct csdf *g, const char *path)
{
    FILE *out = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fputs("<processnetwork name=\"drawn\">\n", out);
    for (int i = 0; i < g->actor_count; i++) {
        fprintf(out, "<process name=\"p%d\"", i);
        print_times(out, g, i);
        fputs(">", out);
        for (int k = 0; k < g->arc_count; k++) {
            if (g->arcs[k].from == i)
                fprintf(out, "<port type=\"output\" name=\"o%d\"/>", k);
            if (g->arcs[k].to == i)
                fprintf(out, "<port type=\"input\" name=\"i%d\"/>", k);
        }
        fputs("</process>\n", out);
    }
    for (int i = 0; i < g->arc_count; i++)
        print_arc(out, g, i);
    fputs("</processnetwork>\n", out);
    fclose(out);
}

static void print_port(FILE *out, const struct actor *actor, const char *type, int number,
                       const int *rates)
{
    fprintf(out, "<port type=\"%s\" name=\"%s%d\"", type, type, number);
    print_sequence(out, "rate", rates, actor->initial, actor->phases);
    fputs("/>", out);
}

static void print_properties(FILE *out, const struct actor *actor, int number)
{
    fprintf(out, "<actorProperties actor=\"p%d\"><processor type=\"x\"><executionTime", number);
    print_sequence(out, "time", actor->time, actor->initial, actor->phases);
    fputs("/></processor></actorProperties>\n", out);
}

/* As a graph of SDF3, which may have initial phases. */
static void write_sdf3(const struct csdf *g, const char *path)
{
    FILE *out = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fputs("<sdf3 type=\"csdf\"><applicationGraph name=\"drawn\"><csdf name=\"drawn\">\n", out);
    for (int i = 0; i < g->actor_count; i++) {
        const struct actor *a = &g->actors[i];
        fprintf(out, "<actor name=\"p%d\">", i);
        for (int k = 0; k < g->arc_count; k++) {
            if (g->arcs[k].from == i)
                print_port(out, a, "out", k, g->arcs[k].writes);
            if (g->arcs[k].to == i)
                print_port(out, a, "in", k, g->arcs[k].reads);
        }
        fputs("</actor>\n", out);
    }
    for (int i = 0; i < g->arc_count; i++)
        fprintf(out,
                "<channel name=\"c%d\" srcActor=\"p%d\" srcPort=\"out%d\" dstActor=\"p%d\" "
                "dstPort=\"in%d\" initialTokens=\"%d\"/>\n",
                i, g->arcs[i].from, i, g->arcs[i].to, i, g->arcs[i].tokens);
    fputs("</csdf><csdfProperties>\n", out);
    for (int i = 0; i < g->actor_count; i++)
        print_properties(out, &g->actors[i], i);
    for (int i = 0; i < g->arc_count; i++)
        if (g->arcs[i].size)
            fprintf(out,
                    "<channelProperties channel=\"c%d\"><bufferSize sz=\"%d\"/>"
                    "</channelProperties>\n",
                    i, g->arcs[i].size);
    fputs("</csdfProperties></applicationGraph></sdf3>\n", out);
    fclose(out);
}

struct answer {
    struct dal_diags diags;
    struct dal_spec *spec;
    struct dal_sdf_report report;
    uint64_t *times;
};

static void ask(const struct csdf *g, struct answer *answer)
{
    static const struct dal_sdf_wishes wishes = {.seconds = 20};
    char path[64];
    size_t missing;
    snprintf(path, sizeof(path), "test_csdf.%ld.xml", (long)getpid());
    write_graph(g, path);
    dal_diags_init(&answer->diags);
    answer->spec = dal_spec_load_unchecked(&answer->diags, path, NULL, NULL, NULL, 0);
    unlink(path);
    if (!answer->spec)
        dal_diags_print(&answer->diags, stdout);
    CU_ASSERT_PTR_NOT_NULL_FATAL(answer->spec);
    answer->times = dal_spec_times(answer->spec, &missing);
    CU_ASSERT_EQUAL(missing, 0);
    CU_ASSERT_EQUAL(
        dal_spec_report(&answer->diags, answer->spec, answer->times, &wishes, &answer->report),
        DAL_OK);
}

static void answer_finish(struct answer *answer)
{
    dal_sdf_report_finish(&answer->report);
    dal_spec_destroy(answer->spec);
    dal_diags_finish(&answer->diags);
    free(answer->times);
}

/* Comparing */

static unsigned long seen[8];
enum { INCONSISTENT, DEADLOCKS, PERIODS, MINIMA, FASTEST, BETWEEN, FOLLOWED };

static void complain(const struct csdf *g, const char *what)
{
    printf("\n%s:\n", what);
    if (g->most_initial)
        write_sdf3(g, "/dev/stdout");
    else
        write_graph(g, "/dev/stdout");
    CU_FAIL("the analysis and the simulator do not agree");
}

/* Sizes that never hold anything up, for channels of an actor to itself. */
static void widen_loops(const struct csdf *g, int *sizes)
{
    for (int i = 0; i < g->arc_count; i++)
        if (g->arcs[i].from == g->arcs[i].to)
            sizes[i] = 1000000;
}

static void compare_cycles(const struct csdf *g, const struct answer *answer)
{
    const struct dal_sdf_graph *graph = &answer->report.graph;
    for (int i = 0; i < g->actor_count; i++)
        if (dal_sdf_firings(&graph->processes[i]) !=
            (uint64_t)(g->actors[i].cycles * g->actors[i].phases))
            complain(g, "firings of an iteration");
}

/* Its repetition vector is that of a connected graph. */
static void compare_period(const struct csdf *g, const int *sizes, struct dal_sdf_period period,
                           const char *what)
{
    long units, starts;
    uint64_t firings = (uint64_t)(g->actors[0].cycles * g->actors[0].phases);
    int agree = 0;
    switch (simulate(g, sizes, &units, &starts)) {
    case RECURS:
        agree = period.verdict == DAL_SDF_PERIODIC &&
                period.over * (uint64_t)starts == (uint64_t)units * firings * period.under;
        seen[PERIODS]++;
        break;
    case DEAD:
        agree = period.verdict == DAL_SDF_DEADLOCK;
        break;
    case ENDLESS:
        agree = 1; /* it may be unlimited, or end after more than is counted */
        break;
    default:
        agree = 1;
    }
    if (!agree)
        complain(g, what);
}

/* A period that sizes are to have, or to go below; without one they are to get through. */
struct goal {
    const struct dal_sdf_period *period;
    int below;
};

static int reaches(const struct csdf *g, const int *sizes, const struct goal *goal)
{
    long units, starts;
    uint64_t firings = (uint64_t)(g->actors[0].cycles * g->actors[0].phases), left, right;
    if (!goal->period)
        return gets_through(g, sizes);
    if (simulate(g, sizes, &units, &starts) != RECURS)
        return 0;
    left = (uint64_t)units * firings * goal->period->under;
    right = goal->period->over * (uint64_t)starts;
    return goal->below ? left < right : left <= right;
}

/* All ways to give the channels from `at` on `total` places together. Returns whether one will do.
 */
static int try_sizes(const struct csdf *g, int *sizes, int at, int total, const struct goal *goal)
{
    while (at < g->arc_count && g->arcs[at].from == g->arcs[at].to)
        at++;
    if (at == g->arc_count)
        return total == 0 && reaches(g, sizes, goal);
    for (int size = g->arcs[at].tokens; size <= total; size++) {
        sizes[at] = size;
        if (try_sizes(g, sizes, at + 1, total - size, goal))
            return 1;
    }
    return 0;
}

/* Returns the fewest places with which the goal is reached, or `most`. */
static int fewest(const struct csdf *g, const struct goal *goal, int most)
{
    int sizes[ARCS] = {0}, total = 0;
    widen_loops(g, sizes);
    while (total < most && !try_sizes(g, sizes, 0, total, goal))
        total++;
    return total;
}

static void compare_least(const struct csdf *g, const struct dal_sdf_buffers *buffers,
                          const struct dal_sdf_period *target, const char *what)
{
    const struct goal goal = {.period = target};
    int total = (int)buffers->total;
    if (!buffers->found || buffers->least != buffers->total || total > (target ? 12 : 20))
        return;
    if (fewest(g, &goal, total + 1) != total)
        complain(g, what);
    seen[target ? FASTEST : MINIMA]++;
}

/* Each point of the trade-offs has the fewest places for its period. Nothing between two of them is
 * faster than the first. */
static void compare_points(const struct csdf *g, const struct dal_sdf_front *front)
{
    for (size_t i = 0; i < front->count; i++) {
        const struct dal_sdf_buffers *point = &front->points[i];
        const struct goal faster = {.period = &point->period, .below = 1};
        int sizes[ARCS], next = i + 1 < front->count ? (int)point[1].total : 0;
        for (int k = 0; k < g->arc_count; k++)
            sizes[k] = (int)point->capacity[k];
        widen_loops(g, sizes);
        compare_period(g, sizes, point->period, "the period of a trade-off");
        compare_least(g, point, &point->period, "the capacities of a trade-off");
        if (next > 0 && next <= 12 && fewest(g, &faster, next) < next)
            complain(g, "a trade-off that is missing");
        seen[BETWEEN] += i > 0 && next > 0;
    }
}

static void compare_front(const struct csdf *g, const struct dal_sdf_report *report)
{
    uint64_t fixed[ARCS] = {0}, weight[ARCS];
    struct dal_sdf_budget budget = {.work = (uint64_t)1 << 32};
    struct dal_sdf_sizing sizing = {
        .graph = &report->graph, .fixed = fixed, .weight = weight, .budget = &budget};
    struct dal_sdf_front front;
    if (report->fastest.total > 12)
        return;
    for (int i = 0; i < ARCS; i++)
        weight[i] = 1;
    CU_ASSERT_EQUAL(dal_sdf_pareto(&sizing, &report->minimum, report->fastest.period, &front),
                    DAL_OK);
    if (!front.complete)
        complain(g, "all trade-offs");
    compare_points(g, &front);
    dal_sdf_front_finish(&front);
}

static void compare_capacities(const struct csdf *g, const struct answer *answer)
{
    const struct dal_sdf_report *report = &answer->report;
    int sizes[ARCS];
    if (!report->minimum.found)
        return;
    for (int i = 0; i < g->arc_count; i++)
        sizes[i] = (int)report->minimum.capacity[i];
    widen_loops(g, sizes);
    if (!gets_through(g, sizes))
        complain(g, "the minimum deadlocks");
    compare_period(g, sizes, report->minimum.period, "the period of the minimum");
    compare_least(g, &report->minimum, NULL, "the least capacities");
    if (!report->fastest.found || report->fastest.period.verdict != DAL_SDF_PERIODIC)
        return;
    for (int i = 0; i < g->arc_count; i++)
        sizes[i] = (int)report->fastest.capacity[i];
    widen_loops(g, sizes);
    compare_period(g, sizes, report->fastest.period, "the period of the fastest");
    compare_least(g, &report->fastest, &report->fastest.period, "the fastest capacities");
    compare_front(g, report);
}

/* The same graph with sizes that are drawn. */
static void compare_given(struct csdf *g)
{
    struct answer answer;
    int sizes[ARCS];
    for (int i = 0; i < g->arc_count; i++) {
        const struct arc *arc = &g->arcs[i];
        int more = sum_of(arc->writes, g->actors[arc->from].phases) + draw(6);
        sizes[i] = g->arcs[i].size = 1 + arc->tokens + draw(2) * more;
    }
    ask(g, &answer);
    if (answer.report.deadlock.dead == gets_through(g, sizes))
        complain(g, "a deadlock with sizes");
    seen[DEADLOCKS] += (unsigned long)answer.report.deadlock.dead;
    if (!answer.report.deadlock.dead)
        compare_period(g, sizes, answer.report.given_period, "the period with sizes");
    answer_finish(&answer);
}

static void compare_graph(struct csdf *g)
{
    struct answer answer;
    int wide[ARCS], consistent = find_cycles(g);
    ask(g, &answer);
    for (int i = 0; i < ARCS; i++)
        wide[i] = 1000000;
    if (consistent != answer.report.consistent)
        complain(g, "consistency");
    seen[INCONSISTENT] += !consistent;
    if (consistent && answer.report.consistent) {
        compare_cycles(g, &answer);
        if (answer.report.deadlock.dead == gets_through(g, wide))
            complain(g, "a deadlock");
        seen[DEADLOCKS] += (unsigned long)answer.report.deadlock.dead;
        if (!answer.report.deadlock.dead)
            compare_capacities(g, &answer);
        compare_given(g);
    }
    answer_finish(&answer);
}

static void test_random_graphs(void)
{
    static struct csdf g;
    long count = suite_number("DAL_TEST_GRAPHS", 1000);
    drawn += (uint64_t)suite_number("DAL_TEST_SEED", 0);
    for (long i = 0; i < count && CU_get_number_of_failures() == 0; i++) {
        draw_graph(&g, 0);
        compare_graph(&g);
    }
    printf("\n%lu inconsistent, %lu deadlocks, %lu periods, %lu least and %lu fastest capacities, "
           "%lu points between\n",
           seen[INCONSISTENT], seen[DEADLOCKS], seen[PERIODS], seen[MINIMA], seen[FASTEST],
           seen[BETWEEN]);
    CU_ASSERT(count < 1000 ||
              (seen[INCONSISTENT] > 10 && seen[DEADLOCKS] > 100 && seen[PERIODS] > 300 &&
               seen[MINIMA] > 100 && seen[FASTEST] > 50 && seen[BETWEEN] > 10));
}

/* Initial phases: the graph that is read begins behind them. */

/* Reads and analyses a graph; 0 if its initial phases cannot be executed, which is a deadlock. */
static int ask_behind(const struct csdf *g, struct answer *answer)
{
    static const struct dal_sdf_wishes wishes = {.seconds = 20, .periods_alone = 1};
    char path[64];
    size_t missing;
    snprintf(path, sizeof(path), "test_csdf.%ld.sdf3", (long)getpid());
    write_sdf3(g, path);
    dal_diags_init(&answer->diags);
    answer->spec = dal_sdf3_read(&answer->diags, path, NULL);
    unlink(path);
    if (!answer->spec) {
        if (answer->diags.errors != 1 || strcmp(answer->diags.list[0].code, "deadlock") != 0) {
            dal_diags_print(&answer->diags, stdout);
            complain(g, "it is not read");
        }
        dal_diags_finish(&answer->diags);
        return 0;
    }
    answer->times = dal_spec_times(answer->spec, &missing);
    CU_ASSERT_EQUAL(
        dal_spec_report(&answer->diags, answer->spec, answer->times, &wishes, &answer->report),
        DAL_OK);
    return 1;
}

/* Does as the way out of a deadlock says: the numbers are those of the file. */
static void follow_advice(const struct csdf *g, const int *sizes,
                          const struct dal_sdf_report *report)
{
    static struct csdf other;
    const struct dal_sdf_deadlock *deadlock = &report->deadlock;
    int other_sizes[ARCS];
    other = *g;
    for (size_t i = 0; i < report->graph.channel_count; i++) {
        const struct dal_sdf_channel *channel = &report->graph.channels[i];
        uint64_t more = deadlock->more_tokens[i];
        other.arcs[channel->origin].tokens = (int)dal_sdf_tokens_in_file(channel, more);
        other_sizes[channel->origin] =
            sizes[channel->origin] + (int)(deadlock->more_capacity[i] + more);
    }
    if (!gets_through(&other, other_sizes))
        complain(g, "a way out of a deadlock behind initial phases");
    seen[FOLLOWED]++;
}

static void compare_behind(const struct csdf *g, const int *sizes, int given)
{
    struct answer answer;
    int lives = ask_behind(g, &answer), begun = lives, initial = 0;
    for (int i = 0; i < g->actor_count; i++)
        initial |= g->actors[i].initial;
    if (begun && answer.spec->has_begun != (initial > 0))
        complain(g, "whether there are initial phases");
    lives = begun && !answer.report.deadlock.dead;
    if (lives != gets_through(g, sizes))
        complain(g, "a deadlock of a graph with initial phases");
    if (begun && answer.report.deadlock.has_fix)
        follow_advice(g, sizes, &answer.report);
    if (lives)
        compare_period(g, sizes, given ? answer.report.given_period : answer.report.unbounded,
                       "the period behind initial phases");
    seen[DEADLOCKS] += (unsigned long)!lives;
    if (begun)
        answer_finish(&answer);
}

static void test_initial_phases(void)
{
    static struct csdf g;
    long count = suite_number("DAL_TEST_GRAPHS", 1000);
    memset(seen, 0, sizeof(seen));
    for (long i = 0; i < count && CU_get_number_of_failures() == 0; i++) {
        int sizes[ARCS];
        draw_graph(&g, INITIAL);
        if (!find_cycles(&g))
            continue;
        for (int k = 0; k < ARCS; k++)
            sizes[k] = 1000000;
        compare_behind(&g, sizes, 0);
        for (int k = 0; k < g.arc_count; k++) {
            int more = sum_of(g.arcs[k].writes, g.actors[g.arcs[k].from].phases) + draw(9);
            sizes[k] = g.arcs[k].size = 1 + g.arcs[k].tokens + draw(3) * more;
        }
        compare_behind(&g, sizes, 1);
    }
    printf("\n%lu deadlocks, %lu ways out, %lu periods\n", seen[DEADLOCKS], seen[FOLLOWED],
           seen[PERIODS]);
    CU_ASSERT(count < 1000 ||
              (seen[DEADLOCKS] > 100 && seen[FOLLOWED] > 50 && seen[PERIODS] > 200));
}

int main(void)
{
    static const struct test tests[] = {{"random graphs", test_random_graphs},
                                        {"initial phases", test_initial_phases}};
    return run_suite("csdf", tests, sizeof(tests) / sizeof(tests[0]));
}
