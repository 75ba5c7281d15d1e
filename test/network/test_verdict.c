/*
 * Verdicts by tables: a snapshot in, a verdict out (rt/base/snapshot.h, rt/base/verdict.h). Then
 * snapshots by chance, also such as cannot be, against what a verdict may never say.
 *
 *   DAL_TEST_SNAPSHOTS=N  pairs of random snapshots (200000)
 */
#include "rt/base/error.h"
#include "rt/base/verdict.h"

#include "test/suite.h"

#include <stdio.h>
#include <string.h>

enum { PROCESSES = 5, LINKS = 6, PORTS = 2 * LINKS };

enum {
    NEXT = 1, /* of the same port as the link before */
    IN_PLACE = 2,
    NO_WRITER = 4,
    NO_READER = 8
};

/* A channel, with what its ends need. */
struct link {
    int from, to;
    uint64_t fill, capacity, space, tokens;
    enum dal_growth growth;
    unsigned flags;
    uint32_t bytes; /* of a token; 0: 4 */
};

/* `processes` in words: R rests, W works, E has ended, K1 is blocked at link 1, to write if it is
 * the producer. Behind that, s: it stops with the network; h: it ends when its readers have. */
struct moment {
    const char *name;
    const char *processes;
    struct link links[LINKS];
    enum dal_verdict_kind kind;
    int ring;
};

#define FULL(from, to, growth, flags)                                                              \
    {                                                                                              \
        from, to, 4, 4, 1, 1, DAL_GROWTH_##growth, flags, 0                                        \
    }
#define EMPTY(from, to, flags)                                                                     \
    {                                                                                              \
        from, to, 0, 4, 1, 1, DAL_GROWTH_READY, flags, 0                                           \
    }

static const struct moment moments[] = {
    {"all wait for tokens", "K1 K0", {EMPTY(0, 1, 0), EMPTY(1, 0, 0)}, DAL_VERDICT_TOKENS, 0},
    {"a process that waits for itself", "K0", {FULL(0, 0, READY, 0)}, DAL_VERDICT_GROWS, 0},
    {"one writes, the other reads elsewhere",
     "K1 K0",
     {EMPTY(0, 1, 0), FULL(0, 1, READY, 0)},
     DAL_VERDICT_GROWS,
     1},
    {"the same of processes with fixed rates",
     "R R",
     {EMPTY(1, 0, 0), FULL(1, 0, READY, 0)},
     DAL_VERDICT_GROWS,
     1},
    {"a pipeline that is full",
     "K0 K1 W",
     {FULL(0, 1, READY, 0), FULL(1, 2, READY, 0)},
     DAL_VERDICT_NONE,
     0},
    {"the smallest grows",
     "K0 K1 K2",
     {{0, 1, 4, 4, 1, 1, DAL_GROWTH_READY, 0, 8},
      {1, 2, 7, 7, 1, 1, DAL_GROWTH_READY, 0, 4},
      EMPTY(0, 2, 0)},
     DAL_VERDICT_GROWS,
     1},
    {"the smallest by bytes, not by tokens",
     "K0 K1 K2",
     {{0, 1, 9, 9, 1, 1, DAL_GROWTH_READY, 0, 1},
      {1, 2, 2, 2, 1, 1, DAL_GROWTH_READY, 0, 64},
      EMPTY(0, 2, 0)},
     DAL_VERDICT_GROWS,
     0},
    {"a smaller one that is not of the cycle does not",
     "K0 K1 K2 K3",
     {{0, 1, 9, 9, 1, 1, DAL_GROWTH_READY, 0, 8},
      {1, 2, 7, 7, 1, 1, DAL_GROWTH_READY, 0, 8},
      EMPTY(0, 2, 0),
      {3, 1, 1, 1, 1, 1, DAL_GROWTH_READY, 0, 1}},
     DAL_VERDICT_GROWS,
     1},
    {"the smallest that can",
     "K0 K1 K2",
     {{0, 1, 1, 1, 1, 1, DAL_GROWTH_DEVICE, 0, 4}, FULL(1, 2, READY, 0), EMPTY(0, 2, 0)},
     DAL_VERDICT_GROWS,
     1},
    {"one that grows already is waited for",
     "K0 K1 K2",
     {FULL(0, 1, READY, 0), FULL(1, 2, UNDER_WAY, 0), EMPTY(0, 2, 0)},
     DAL_VERDICT_NONE,
     0},
    {"none may grow any more",
     "K1 K0",
     {EMPTY(0, 1, 0), FULL(0, 1, LIMIT, 0)},
     DAL_VERDICT_LIMIT,
     0},
    {"one may not, another may",
     "K0 K1 K2",
     {{0, 1, 1, 1, 1, 1, DAL_GROWTH_LIMIT, 0, 4}, FULL(1, 2, READY, 0), EMPTY(0, 2, 0)},
     DAL_VERDICT_GROWS,
     1},
    {"a device uses it", "R K0", {EMPTY(0, 1, 0), FULL(0, 1, DEVICE, 0)}, DAL_VERDICT_DEVICE, 0},
    {"changed in place",
     "R R K3",
     {{0, 0, 1, 1, 1, 1, DAL_GROWTH_INPLACE, IN_PLACE, 0},
      {0, 1, 1, 1, 1, 1, DAL_GROWTH_INPLACE, NEXT, 0},
      EMPTY(2, 1, 0),
      EMPTY(0, 2, 0)},
     DAL_VERDICT_INPLACE,
     0},
    {"of one in place and one at a device the latter is named",
     "K0 K1 K2",
     {FULL(0, 1, INPLACE, 0), FULL(1, 2, DEVICE, 0), EMPTY(0, 2, 0)},
     DAL_VERDICT_DEVICE,
     0},
    {"a process to itself in place waits for nobody",
     "R",
     {{0, 0, 1, 1, 1, 1, DAL_GROWTH_INPLACE, IN_PLACE, 0}},
     DAL_VERDICT_NONE,
     0},
    {"one works", "K1 W", {EMPTY(0, 1, 0), EMPTY(1, 0, 0)}, DAL_VERDICT_NONE, 0},
    {"one has ended", "K1 E", {EMPTY(0, 1, NO_READER), EMPTY(1, 0, 0)}, DAL_VERDICT_NONE, 0},
    {"no more tokens will come: it goes on",
     "K1 K0",
     {EMPTY(0, 1, 0), EMPTY(1, 0, NO_WRITER)},
     DAL_VERDICT_NONE,
     0},
    {"readers that have ended stop nobody",
     "K1 K0",
     {EMPTY(0, 1, 0), FULL(0, 1, READY, NO_READER)},
     DAL_VERDICT_NONE,
     0},
    {"it is about to end for want of tokens",
     "R K1 E",
     {FULL(1, 0, READY, 0), EMPTY(0, 1, 0), EMPTY(2, 0, NO_WRITER)},
     DAL_VERDICT_NONE,
     0},
    {"an ended input with enough tokens ends nobody",
     "R K1 E",
     {EMPTY(1, 0, 0), EMPTY(0, 1, 0), FULL(2, 0, READY, NO_WRITER)},
     DAL_VERDICT_TOKENS,
     0},
    {"it is about to end, as nobody reads from it",
     "Rh K0 E",
     {FULL(1, 0, READY, 0), EMPTY(1, 0, 0), EMPTY(0, 2, NO_READER)},
     DAL_VERDICT_NONE,
     0},
    {"one that nobody reads from, but that has effects outside",
     "R K0 E",
     {FULL(1, 0, READY, 0), EMPTY(1, 0, 0), EMPTY(0, 2, NO_READER)},
     DAL_VERDICT_GROWS,
     0},
    {"a source of a network that is to stop",
     "Rs K1",
     {FULL(0, 1, READY, 0), EMPTY(0, 1, 0)},
     DAL_VERDICT_NONE,
     0},
    {"another reader of the port is slower",
     "K0 K2 W",
     {FULL(0, 1, READY, 0), FULL(0, 2, READY, NEXT), EMPTY(0, 1, 0)},
     DAL_VERDICT_GROWS,
     0},
    {"only the other reader leaves no space",
     "K0 K0 W",
     {EMPTY(0, 1, 0), FULL(0, 2, READY, NEXT)},
     DAL_VERDICT_NONE,
     0},
    {"it lacks tokens of one outside who works",
     "R K0 W",
     {FULL(1, 0, READY, 0), EMPTY(1, 0, 0), EMPTY(2, 0, 0)},
     DAL_VERDICT_NONE,
     0},
    {"who is stuck behind them",
     "R K0 K3",
     {FULL(1, 0, READY, 0), EMPTY(1, 0, 0), EMPTY(2, 0, 0), EMPTY(1, 2, 0)},
     DAL_VERDICT_GROWS,
     0},
    {"it lacks space of one outside who works, which ends nobody",
     "R K0 W",
     {FULL(1, 0, READY, 0), EMPTY(1, 0, 0), FULL(0, 2, READY, 0)},
     DAL_VERDICT_GROWS,
     0},
    {"a phase that needs nothing there",
     "R K0",
     {FULL(1, 0, READY, 0), {1, 0, 0, 4, 1, 0, DAL_GROWTH_READY, 0, 0}},
     DAL_VERDICT_NONE,
     0},
    {"more was read than written",
     "K1 K0",
     {EMPTY(0, 1, 0), {1, 0, UINT64_MAX, 4, 1, 1, DAL_GROWTH_READY, 0, 0}},
     DAL_VERDICT_NONE,
     0},
    {"more is there than fits",
     "K1 K0",
     {EMPTY(0, 1, 0), {0, 1, 5, 4, 1, 1, DAL_GROWTH_READY, 0, 0}},
     DAL_VERDICT_NONE,
     0},
};

/* ---- from tables to snapshots ---------------------------------------------------------------- */

static struct dal_snapshot before, now;
static struct dal_judge judge;
static struct dal_wait waits[PORTS];

static void add_port(struct dal_snapshot *s, int process, int output, int channel, uint64_t need)
{
    struct dal_seen_process *seen = &s->processes[process];
    if (seen->state == DAL_SEEN_BLOCKED && seen->port == -1 - channel)
        seen->port = seen->port_count;
    s->ports[seen->first_port + seen->port_count++] =
        (struct dal_seen_port){.output = output, .channel = channel, .need = need};
}

static void add_channel(struct dal_snapshot *s, const struct link *link, int i)
{
    s->channels[i] = (struct dal_seen_channel){.producer = link->from,
                                               .consumer = link->to,
                                               .ring = link->flags & NEXT ? i - 1 : i,
                                               .next = -1,
                                               .inplace = (link->flags & IN_PLACE) != 0,
                                               .whole = i,
                                               .token_bytes = link->bytes ? link->bytes : 4,
                                               .growth = link->growth,
                                               .writer_closed = (link->flags & NO_WRITER) != 0,
                                               .reader_closed = (link->flags & NO_READER) != 0,
                                               .capacity = link->capacity,
                                               .written = 100 + link->fill,
                                               .read = 100};
    if (link->flags & NEXT)
        s->channels[i - 1].next = i;
}

/* Goes on to the next word. */
static const char *read_process(struct dal_seen_process *seen, const char *word)
{
    static const enum dal_seen_state states[128] = {['R'] = DAL_SEEN_RESTING,
                                                    ['W'] = DAL_SEEN_WORKING,
                                                    ['E'] = DAL_SEEN_ENDED,
                                                    ['K'] = DAL_SEEN_BLOCKED};
    seen->state = states[(int)*word];
    for (word++; *word && *word != ' '; word++) {
        if (*word >= '0' && *word <= '9')
            seen->port = -1 - (*word - '0');
        seen->stops |= *word == 's';
        seen->heeds |= *word == 'h';
    }
    return *word ? word + 1 : word;
}

/* All ports of a process are together: outputs in front. */
static void fill_in(struct dal_snapshot *s, const struct moment *m)
{
    const char *word = m->processes;
    int i, p, port = 0;
    for (i = 0; i < LINKS && m->links[i].capacity > 0; i++)
        add_channel(s, &m->links[i], i);
    s->channel_count = i;
    for (p = 0; *word; p++) {
        struct dal_seen_process *seen = &s->processes[p];
        *seen = (struct dal_seen_process){.vertex = p, .first_port = port};
        word = read_process(seen, word);
        for (i = 0; i < s->channel_count; i++)
            if (m->links[i].from == p && !(m->links[i].flags & NEXT))
                add_port(s, p, 1, i, m->links[i].space);
        for (i = 0; i < s->channel_count; i++)
            if (m->links[i].to == p)
                add_port(s, p, 0, i, m->links[i].tokens);
        port += seen->port_count;
    }
    s->process_count = p;
}

static struct dal_verdict judge_both(void)
{
    return dal_judge_waits(&judge, waits, dal_snapshot_list(&before, &now, waits));
}

static int begin_judging(void)
{
    return dal_snapshot_init(&before, PROCESSES, PORTS, LINKS) == DAL_OK &&
           dal_snapshot_init(&now, PROCESSES, PORTS, LINKS) == DAL_OK &&
           dal_judge_init(&judge, PROCESSES) == DAL_OK;
}

static void end_judging(void)
{
    dal_snapshot_finish(&before);
    dal_snapshot_finish(&now);
    dal_judge_finish(&judge);
}

static void copy_snapshot(struct dal_snapshot *to, const struct dal_snapshot *from)
{
    struct dal_snapshot arrays = *to;
    *to = *from;
    to->processes = arrays.processes;
    to->ports = arrays.ports;
    to->channels = arrays.channels;
    memcpy(to->processes, from->processes, PROCESSES * sizeof(*to->processes));
    memcpy(to->ports, from->ports, PORTS * sizeof(*to->ports));
    memcpy(to->channels, from->channels, LINKS * sizeof(*to->channels));
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void test_moments(void)
{
    CU_ASSERT_FATAL(begin_judging());
    for (size_t i = 0; i < sizeof(moments) / sizeof(moments[0]); i++) {
        const struct moment *m = &moments[i];
        struct dal_verdict verdict;
        fill_in(&now, m);
        copy_snapshot(&before, &now);
        verdict = judge_both();
        if (verdict.kind != m->kind || (verdict.grows && verdict.grows->ring != m->ring))
            printf("\n%s: verdict %d, ring %d", m->name, verdict.kind,
                   verdict.grows ? verdict.grows->ring : -1);
        CU_ASSERT_EQUAL(verdict.kind, m->kind);
        CU_ASSERT_EQUAL(verdict.grows != NULL, m->kind == DAL_VERDICT_GROWS);
        CU_ASSERT(!verdict.grows || verdict.grows->ring == m->ring);
    }
    end_judging();
}

/* The n-th thing that may differ of a process, a port, or a channel of a cycle; 0 behind the last.
 */
static int change_one(struct dal_snapshot *s, int n)
{
    struct dal_seen_process *process = s->processes;
    struct dal_seen_channel *channel = s->channels + 1;
    switch (n) {
    case 0:
        process->state = DAL_SEEN_WORKING;
        return 1;
    case 1:
        process->state = DAL_SEEN_ENDED;
        return 1;
    case 2:
        process->state = DAL_SEEN_RESTING;
        return 1;
    case 3:
        process->port = !process->port;
        return 1;
    case 4:
        process->stops = 1;
        return 1;
    case 5:
        s->ports[process->first_port + process->port].need++;
        return 1;
    case 6:
        channel->growth = DAL_GROWTH_UNDER_WAY;
        return 1;
    case 7:
        channel->writer_closed = 1;
        return 1;
    case 8:
        channel->reader_closed = 1;
        return 1;
    case 9:
        channel->capacity++;
        return 1;
    case 10:
        channel->written--;
        return 1;
    case 11:
        channel->read--;
        return 1;
    default:
        return 0;
    }
}

/* Whatever of a cycle differs, in the snapshot before or in the last one: there is no verdict. */
static void test_two_that_differ(void)
{
    struct dal_snapshot *const either[] = {&before, &now};
    int more = 1;
    CU_ASSERT_FATAL(begin_judging());
    for (int n = 0; more; n++)
        for (int which = 0; more && which < 2; which++) {
            fill_in(&now, &moments[2]);
            copy_snapshot(&before, &now);
            CU_ASSERT_EQUAL(judge_both().kind, DAL_VERDICT_GROWS);
            more = change_one(either[which], n);
            if (more && judge_both().kind != DAL_VERDICT_NONE)
                printf("\nchange %d of snapshot %d", n, which);
            CU_ASSERT(!more || judge_both().kind == DAL_VERDICT_NONE);
        }
    end_judging();
}

/* The rest of the network may go on meanwhile. */
static void test_others_go_on(void)
{
    const struct moment busy = {"busy",
                                "K1 K0 R W",
                                {EMPTY(0, 1, 0), FULL(0, 1, READY, 0), EMPTY(2, 3, 0)},
                                DAL_VERDICT_GROWS,
                                1};
    CU_ASSERT_FATAL(begin_judging());
    fill_in(&now, &busy);
    copy_snapshot(&before, &now);
    now.channels[2].written += 3;
    now.processes[2].state = DAL_SEEN_WORKING;
    CU_ASSERT(dal_snapshot_moved(&before, &now));
    CU_ASSERT_EQUAL(judge_both().kind, DAL_VERDICT_GROWS);
    end_judging();
}

/* A process lacks tokens of one that is at work, while some of them come: it may end with that one.
 */
static void test_tokens_come(void)
{
    const struct moment m = {
        "tokens come",
        "R R W",
        {EMPTY(1, 0, 0), FULL(1, 0, READY, 0), {2, 0, 1, 4, 1, 3, DAL_GROWTH_READY, 0, 0}},
        DAL_VERDICT_NONE,
        0};
    CU_ASSERT_FATAL(begin_judging());
    fill_in(&now, &m);
    copy_snapshot(&before, &now);
    CU_ASSERT_EQUAL(judge_both().kind, DAL_VERDICT_NONE);
    now.channels[2].written++; /* too few still */
    CU_ASSERT_EQUAL(judge_both().kind, DAL_VERDICT_NONE);
    now.channels[2].written++;
    CU_ASSERT_EQUAL(judge_both().kind, DAL_VERDICT_NONE);
    before.channels[2].written += 2; /* it lacks none at either time */
    now.channels[2].written++;
    CU_ASSERT_EQUAL(judge_both().kind, DAL_VERDICT_GROWS);
    before.channels[2].read--; /* it may have read them in between */
    CU_ASSERT_EQUAL(judge_both().kind, DAL_VERDICT_GROWS);
    now.channels[2].read += 2;
    CU_ASSERT_EQUAL(judge_both().kind, DAL_VERDICT_NONE);
    end_judging();
}

static void test_movement(void)
{
    CU_ASSERT_FATAL(begin_judging());
    fill_in(&now, &moments[2]);
    copy_snapshot(&before, &now);
    CU_ASSERT(!dal_snapshot_moved(&before, &now));
    CU_ASSERT_EQUAL(dal_snapshot_sum(&now), 404);
    now.channels[1].read++;
    CU_ASSERT(dal_snapshot_moved(&before, &now));
    CU_ASSERT_EQUAL(dal_snapshot_sum(&now), 405);
    end_judging();
}

/* A release that is to come is no stall, but where something else lacks. */
static void test_held(void)
{
    const struct moment m = {"periodic", "R W", {EMPTY(0, 1, 0)}, DAL_VERDICT_NONE, 0};
    CU_ASSERT_FATAL(begin_judging());
    fill_in(&now, &m);
    CU_ASSERT(!dal_snapshot_is_held(&now, 0));
    now.processes[0].held = 1;
    CU_ASSERT(dal_snapshot_is_held(&now, 0));
    now.channels[0].written += 4;
    CU_ASSERT(!dal_snapshot_is_held(&now, 0));
    end_judging();
}

/* ---- by chance ------------------------------------------------------------------------------- */

static unsigned chance = 1;

static unsigned draw(unsigned most)
{
    chance = chance * 1103515245u + 12345u;
    return (chance >> 16) % most;
}

static void draw_moment(struct moment *m)
{
    static char words[8 * PROCESSES];
    char *word = words;
    int i, processes = 1 + (int)draw(PROCESSES), links = 1 + (int)draw(LINKS);
    *m = (struct moment){.name = "by chance", .processes = words};
    for (i = 0; i < links; i++) {
        int next = i > 0 && draw(5) == 0;
        m->links[i] =
            (struct link){.from = next ? m->links[i - 1].from : (int)draw((unsigned)processes),
                          .to = (int)draw((unsigned)processes),
                          .capacity = 1 + draw(4),
                          .space = next ? m->links[i - 1].space : 1 + draw(2),
                          .tokens = draw(3),
                          .growth = (enum dal_growth)draw(5),
                          .flags = (next ? NEXT : 0) | (draw(20) == 0 ? 1u << (1 + draw(3)) : 0),
                          .bytes = 1 + draw(8)};
        m->links[i].fill = draw(20) ? draw(2) * m->links[i].capacity : draw(8) - 2ul;
    }
    for (i = 0; i < processes; i++) {
        int at = (int)draw((unsigned)links);
        int own = m->links[at].to == i || (m->links[at].from == i && !(m->links[at].flags & NEXT));
        char letter = own ? "RRRRWEKKKK"[draw(10)] : "RRRRRWE"[draw(7)];
        word += sprintf(word, letter == 'K' ? "%c%d" : "%c", letter, at);
        word += sprintf(word, "%s%s%s", draw(30) ? "" : "s", draw(2) ? "" : "h",
                        i + 1 < processes ? " " : "");
    }
}

/* In one of the two, something is otherwise. */
static void disturb(struct dal_snapshot *s)
{
    struct dal_seen_process *process = &s->processes[draw((unsigned)s->process_count)];
    struct dal_seen_channel *channel = &s->channels[draw((unsigned)s->channel_count)];
    switch (draw(6)) {
    case 0:
        process->state =
            process->state == DAL_SEEN_BLOCKED ? DAL_SEEN_WORKING : (enum dal_seen_state)draw(3);
        break;
    case 1:
        s->ports[process->first_port].need = draw(4);
        break;
    case 2:
        channel->growth = (enum dal_growth)draw(5);
        break;
    case 3:
        channel->capacity = draw(8);
        break;
    case 4:
        channel->written += draw(9) - 4ul;
        break;
    default:
        channel->read += draw(9) - 4ul;
        break;
    }
}

static int may_wait_at(const struct dal_snapshot *s, const struct dal_wait *wait)
{
    const struct dal_seen_process *process = &s->processes[wait->waiter];
    const struct dal_seen_channel *channel = &s->channels[wait->channel];
    uint64_t fill = channel->written - channel->read;
    if (process->state != DAL_SEEN_RESTING && process->state != DAL_SEEN_BLOCKED)
        return 0;
    if (wait->output)
        return !channel->reader_closed && channel->producer == wait->waiter &&
               channel->consumer == wait->peer && channel->capacity - fill < wait->rate;
    return !channel->writer_closed && channel->consumer == wait->waiter &&
           channel->producer == wait->peer && fill < wait->rate;
}

/* All that a verdict may say, by the snapshots themselves. */
static int is_right(const struct dal_verdict *verdict)
{
    const struct dal_wait *best = NULL;
    if (verdict->kind == DAL_VERDICT_NONE)
        return 1;
    for (int i = 0; i < verdict->length; i++) {
        const struct dal_wait *wait = &waits[verdict->cycle[i]];
        if (!may_wait_at(&before, wait) || !may_wait_at(&now, wait) ||
            wait->peer != waits[verdict->cycle[(i + 1) % verdict->length]].waiter ||
            memcmp(&before.channels[wait->channel], &now.channels[wait->channel],
                   sizeof(now.channels[0])) != 0)
            return 0;
        if (wait->output && wait->growth == DAL_GROWTH_READY &&
            (!best || wait->capacity * wait->token_bytes < best->capacity * best->token_bytes))
            best = wait;
    }
    return verdict->length > 0 && (verdict->kind != DAL_VERDICT_GROWS || verdict->grows == best);
}

static void test_by_chance(void)
{
    long i, left = suite_number("DAL_TEST_SNAPSHOTS", 200000), wrong = 0;
    unsigned long seen[DAL_VERDICTS] = {0};
    struct moment m;
    CU_ASSERT_FATAL(begin_judging());
    for (; left > 0; left--) {
        struct dal_verdict verdict, again;
        draw_moment(&m);
        fill_in(&now, &m);
        copy_snapshot(&before, &now);
        if (draw(2))
            disturb(draw(2) ? &now : &before);
        verdict = judge_both();
        wrong += !is_right(&verdict);
        seen[verdict.kind]++;
        again = judge_both();
        wrong += again.kind != verdict.kind || again.grows != verdict.grows ||
                 again.length != verdict.length;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    for (i = 0; i < DAL_VERDICTS; i++)
        CU_ASSERT(seen[i] > 0); /* each was tried */
    end_judging();
}

int main(void)
{
    static const struct test tests[] = {
        {"moments", test_moments},           {"two that differ", test_two_that_differ},
        {"others go on", test_others_go_on}, {"tokens come", test_tokens_come},
        {"movement", test_movement},         {"a release to come", test_held},
        {"by chance", test_by_chance},
    };
    return run_suite("verdict", tests, sizeof(tests) / sizeof(tests[0]));
}
