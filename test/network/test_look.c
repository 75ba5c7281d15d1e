/*
 * Looks at what moves meanwhile (rt/watch/look.h): readers of one port that overtake each other,
 * a process that goes from phase to phase. Nobody ever waits in a cycle here, so no list of waits
 * may have one, and each wait must be one by its own numbers.
 *
 *   DAL_TEST_LOOKS=N  pairs of looks, and rounds of what moves, at least (100000)
 */
#include "rt/host/group.h"
#include "rt/network/network.h"
#include "rt/watch/look.h"
#include "rt/watch/monitor.h"

#include "test/suite.h"

#include <pthread.h>
#include <string.h>

enum { MOST = 3, FOUR = 4 };

/* What a process says that it sleeps at. */
static const struct dal_end *_Atomic asleep[MOST];
static struct dal_process processes[MOST];
static struct dal_process_desc descs[MOST];
static struct dal_port_desc ports[MOST][2];
static struct dal_group groups[MOST];
static struct dal_end *ends[MOST][2];
static struct dal_channel *channels[2];
static struct dal_channel_desc tables[2];
static struct dal_net net;
static struct dal_network network;
static _Atomic int stopping;
static _Atomic long rounds;

static const struct dal_end *sleeps_at(const struct dal_process *process)
{
    return atomic_load(&asleep[process - processes]);
}

static const struct dal_process_ops thread_ops = {.has_thread = 1, .sleeps_at = sleeps_at};

static void make_channel(int i, int from, int to, uint64_t rate_out)
{
    tables[i] = (struct dal_channel_desc){.name = "c",
                                          .kind = DAL_CHANNEL_CORES,
                                          .producer = from,
                                          .consumer = to,
                                          .capacity = FOUR,
                                          .token_bytes = 4,
                                          .rate_in = from == 0 ? FOUR : 1,
                                          .rate_out = rate_out};
}

static void make_ports(int first, int count)
{
    const struct dal_channel_desc *of[2] = {&tables[first], &tables[first + 1]};
    const struct dal_end_config producer = {.core = -1},
                                consumers[2] = {{.core = -1}, {.core = -1}};
    CU_ASSERT_EQUAL_FATAL(dal_port_create(&channels[first], of, count, &producer, consumers),
                          DAL_OK);
}

static void make_process(int i, const struct dal_process_ops *ops, struct dal_end *a,
                         struct dal_end *b)
{
    ends[i][0] = a;
    ends[i][1] = b;
    descs[i].ports = ports[i];
    descs[i].port_count = a && b ? 2 : 1;
    processes[i].desc = &descs[i];
    processes[i].ops = ops;
    processes[i].control = &network.control;
    processes[i].ends = ends[i];
    processes[i].host.group = processes[i].host.alone = &groups[i];
    atomic_store(&asleep[i], NULL);
}

static void begin_network(int process_count)
{
    net = (struct dal_net){.name = "n",
                           .processes = descs,
                           .process_count = process_count,
                           .channels = tables,
                           .channel_count = 2};
    network.net = network.whole = &net;
    network.processes = processes;
    network.channels = channels;
    network.supervision.limits = dal_monitor_usual;
    atomic_store(&stopping, 0);
    atomic_store(&rounds, 0);
}

static void end_network(void)
{
    dal_channel_destroy(channels[0]);
    dal_channel_destroy(channels[1]);
    memset(processes, 0, sizeof(processes));
    memset(descs, 0, sizeof(descs));
    memset(groups, 0, sizeof(groups));
}

/* For a while that is never the same: about as long as two looks. */
static void dawdle(void)
{
    static unsigned chance = 1;
    volatile unsigned left;
    chance = chance * 1103515245u + 12345u;
    for (left = (chance >> 16) % 256; left > 0; left--)
        ;
}

static void move_end(struct dal_end *end, uint64_t tokens)
{
    dawdle();
    atomic_fetch_add_explicit(&end->visible, tokens, memory_order_release);
}

static int is_wait(const struct dal_wait *wait)
{
    return (wait->output ? wait->capacity - wait->fill : wait->fill) < wait->rate;
}

/* While a thread moves what there is. Returns how many lists were wrong. */
static int look_meanwhile(void *(*move)(void *), unsigned long *listed)
{
    struct dal_look look = {0};
    long left = suite_number("DAL_TEST_LOOKS", 100000), least = left;
    pthread_t thread;
    int count, wrong = 0;
    CU_ASSERT_EQUAL_FATAL(dal_look_init(&look, &network), DAL_OK);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, move, NULL), 0);
    for (; left > 0 || atomic_load(&rounds) < least; left--) {
        dal_look_take(&look);
        dal_look_take(&look);
        count = dal_look_list(&look, look.waits);
        *listed += (unsigned long)count;
        for (int i = 0; i < count; i++)
            wrong += !is_wait(&look.waits[i]);
        wrong += dal_judge_waits(&look.judge, look.waits, count).kind != DAL_VERDICT_NONE;
    }
    atomic_store(&stopping, 1);
    pthread_join(thread, NULL);
    dal_look_finish(&look);
    return wrong;
}

/* ---- a port with two readers ----------------------------------------------------------------- */

/* One and the other is the slower. Both always wait for tokens, and never for what is there. */
static void *overtake(void *nothing)
{
    while (!atomic_load_explicit(&stopping, memory_order_relaxed)) {
        long round = atomic_fetch_add(&rounds, 1);
        move_end(channels[0]->producer, FOUR);
        move_end(&channels[round % 2]->consumer, FOUR);
        move_end(&channels[(round + 1) % 2]->consumer, FOUR);
    }
    return nothing;
}

static void begin_readers(void)
{
    begin_network(3);
    make_channel(0, 0, 1, 1);
    make_channel(1, 0, 2, 1);
    tables[0].next_of_port = 1;
    make_ports(0, 2);
    make_process(0, &dal_process_c, channels[0]->producer, NULL);
    make_process(1, &thread_ops, &channels[0]->consumer, NULL);
    make_process(2, &thread_ops, &channels[1]->consumer, NULL);
    atomic_store(&asleep[1], &channels[0]->consumer);
    atomic_store(&asleep[2], &channels[1]->consumer);
}

static void end_readers(void)
{
    tables[0].next_of_port = 0;
    end_network();
}

static void test_readers(void)
{
    unsigned long listed = 0;
    begin_readers();
    CU_ASSERT_EQUAL(look_meanwhile(overtake, &listed), 0);
    CU_ASSERT(listed > 0);
    end_readers();
}

/* What levels and pages show of a channel is of one moment as well. */
static void test_fill(void)
{
    long left = suite_number("DAL_TEST_LOOKS", 100000), least = left, wrong = 0;
    pthread_t thread;
    begin_readers();
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, overtake, NULL), 0);
    for (; left > 0 || atomic_load(&rounds) < least; left--)
        wrong += dal_channel_fill(channels[0]) > FOUR;
    atomic_store(&stopping, 1);
    pthread_join(thread, NULL);
    CU_ASSERT_EQUAL(wrong, 0);
    end_readers();
}

/* ---- phases ---------------------------------------------------------------------------------- */

/* Of process 0: four tokens from channel 1, then four to channel 0. */
static const struct dal_unit_port phases[] = {
    {.bytes = 0}, {.bytes = 16}, {.bytes = 16}, {.bytes = 0}};
static const struct dal_code code = {.phases = 2, .phase_ports = phases};

static void pass_phase(struct dal_end *end, int next)
{
    atomic_store_explicit(&groups[0].at_work, 1, memory_order_relaxed);
    move_end(end, FOUR);
    atomic_store_explicit(&processes[0].host.phase, next, memory_order_release);
    atomic_store_explicit(&groups[0].at_work, 0, memory_order_release);
}

/* The other one writes four tokens, and then waits for what comes back. */
static void *go_round(void *nothing)
{
    while (!atomic_load_explicit(&stopping, memory_order_relaxed)) {
        atomic_fetch_add(&rounds, 1);
        move_end(channels[1]->producer, FOUR);
        atomic_store_explicit(&asleep[1], &channels[0]->consumer, memory_order_release);
        pass_phase(&channels[1]->consumer, 1);
        pass_phase(channels[0]->producer, 0);
        atomic_store_explicit(&asleep[1], NULL, memory_order_release);
        move_end(&channels[0]->consumer, FOUR);
    }
    return nothing;
}

static void test_phases(void)
{
    unsigned long listed = 0;
    begin_network(2);
    make_channel(0, 0, 1, 1);
    make_channel(1, 1, 0, FOUR);
    make_ports(0, 1);
    make_ports(1, 1);
    make_process(0, &dal_process_c, channels[0]->producer, &channels[1]->consumer);
    make_process(1, &thread_ops, &channels[0]->consumer, channels[1]->producer);
    descs[0].by_phase = 1;
    descs[0].code = &code;
    CU_ASSERT_EQUAL(look_meanwhile(go_round, &listed), 0);
    CU_ASSERT(listed > 0);
    end_network();
}

int main(void)
{
    static const struct test tests[] = {
        {"readers", test_readers},
        {"fill", test_fill},
        {"phases", test_phases},
    };
    return run_suite("look", tests, sizeof(tests) / sizeof(tests[0]));
}
