/*
 * Networks over several nodes on a transport of threads (test/nodes/threads.h).
 *
 *   DAL_TEST_NETWORKS=N  random networks (60), and rounds of other tests in proportion
 *   DAL_TEST_TOKENS=N    tokens in each (3000)
 */
#include "rt/base/alloc.h"
#include "rt/base/sync.h"
#include "rt/network/network.h"
#include "rt/nodes/end.h"
#include "rt/nodes/meet.h"
#include "rt/nodes/commands.h"
#include "rt/nodes/peers.h"
#include "rt/nodes/step.h"

#include "test/capture.h"
#include "test/nodes/threads.h"
#include "test/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 5, PROCESSES = STAGES + 1 };

/* ---- the network: a chain, and a reader of the source with initial tokens ---------------------
 */

struct _local_states {
    uint64_t next;
};

static const struct dal_state state = {sizeof(struct _local_states),
                                       _Alignof(struct _local_states)};
static uint64_t wanted = 3000, received, read_aside, wrong, enough;
static int failing;
static int64_t nap_s; /* of the source's first firing */

/* Of several threads. */
static void count_wrong(int is_wrong)
{
    __atomic_fetch_add(&wrong, (uint64_t)is_wrong, __ATOMIC_RELAXED);
}

static int source_fire(DALProcess *p)
{
    const struct timespec nap = {.tv_sec = nap_s};
    uint64_t number = p->local->next++;
    if (nap_s && number == 0)
        nanosleep(&nap, NULL);
    DAL_write("out", &number, sizeof(number), p);
    return p->local->next == wanted;
}

static int stage_fire(DALProcess *p)
{
    uint64_t number;
    DAL_read("in", &number, sizeof(number), p);
    number++;
    DAL_write("out", &number, sizeof(number), p);
    if (failing && number == 100)
        DAL_fail(p, "as it was told to");
    return 0;
}

static int sink_fire(DALProcess *p)
{
    uint64_t number;
    DAL_read("in", &number, sizeof(number), p);
    count_wrong(number != p->local->next++ + STAGES - 2);
    received++;
    return p->local->next == enough;
}

/* The first two are zeros. */
static int reader_fire(DALProcess *p)
{
    uint64_t number;
    DAL_read("in", &number, sizeof(number), p);
    count_wrong(number != (p->local->next < 2 ? 0 : p->local->next - 2));
    p->local->next++;
    read_aside++;
    return p->local->next == enough;
}

static const struct dal_code source = {.state = &state, .fire = source_fire};
static const struct dal_code stage = {.fire = stage_fire};
static const struct dal_code sink = {.state = &state, .fire = sink_fire};
static const struct dal_code reader = {.state = &state, .fire = reader_fire};
static const char *const node_names[RANKS] = {"a", "b", "c", "d"};
static const char *const process_names[PROCESSES] = {"source", "one",  "two",
                                                     "three",  "sink", "reader"};

static struct dal_processor_desc processors[RANKS];
static struct dal_process_desc processes[PROCESSES];
static struct dal_channel_desc channels[PROCESSES - 1];
static struct dal_port_desc ports[PROCESSES][2];
static int places[PROCESSES][1];
static struct dal_net whole, meeting; /* `meeting` has no processes, but orders */

static void describe_process(int i)
{
    int n = 0;
    if (i > 0)
        ports[i][n++] = (struct dal_port_desc){
            .name = "in", .channel = i < STAGES ? i - 1 : STAGES - 1, .rate = 1};
    if (i < STAGES - 1)
        ports[i][n++] = (struct dal_port_desc){.name = "out", .output = 1, .channel = i, .rate = 1};
    processes[i] =
        (struct dal_process_desc){.name = process_names[i],
                                  .base = process_names[i],
                                  .kind = draw_chance(3) ? DAL_PROCESS_C : DAL_PROCESS_KPN,
                                  .processors = places[i],
                                  .processor_count = 1,
                                  .code = i == 0            ? &source
                                          : i == STAGES - 1 ? &sink
                                          : i == STAGES     ? &reader
                                                            : &stage,
                                  .shadow_copies = 1,
                                  .block = 1 + draw_chance(8),
                                  .ports = ports[i],
                                  .port_count = n};
}

static void describe_channel(int i, uint64_t capacity)
{
    int from = i < STAGES - 1 ? i : 0, to = i + 1;
    channels[i] = (struct dal_channel_desc){
        .name = process_names[to],
        .kind = places[from][0] == places[to][0] ? DAL_CHANNEL_CORES : DAL_CHANNEL_REMOTE,
        .producer = from,
        .consumer = to,
        .capacity = capacity,
        .message = most,
        .token_bytes = 8,
        .rate_in = 1,
        .rate_out = 1,
        .initial_tokens = i == STAGES - 1 ? 2 : 0};
}

/* Of so many ranks, all of which have a process. */
static void describe_net(int ranks)
{
    uint64_t shared = 2 + draw_chance(20);
    most = draw_chance(5);
    for (int i = 0; i < PROCESSES; i++)
        places[i][0] = i < ranks ? i : (int)draw_chance((unsigned)ranks);
    for (int i = 0; i < PROCESSES; i++)
        describe_process(i);
    for (int i = 0; i < PROCESSES - 1; i++)
        describe_channel(i, i == 0 || i == STAGES - 1 ? shared : 1 + draw_chance(20));
    channels[0].next_of_port = STAGES - 1;
    for (int i = 0; i < ranks; i++)
        processors[i] = (struct dal_processor_desc){
            .name = node_names[i], .kind = DAL_PROCESSOR_CORE, .core = -1, .node = i};
    whole = (struct dal_net){.version = DAL_NET_VERSION,
                             .name = "chain",
                             .processors = processors,
                             .processor_count = ranks,
                             .processes = processes,
                             .process_count = PROCESSES,
                             .channels = channels,
                             .channel_count = PROCESSES - 1,
                             .queue.depth = 4,
                             .queue.policy = "fcfs",
                             .nodes = node_names,
                             .node_count = ranks,
                             .transport = &fake};
    meeting = (struct dal_net){
        .name = "orders", .nodes = node_names, .node_count = ranks, .transport = &fake};
    rank_count = ranks;
    received = read_aside = wrong = enough = 0;
    failing = 0;
}

/* ---- another: bursts to the left and to the right, read in turns, with little room -------------
 */

enum { BURST = 20 };

static int bursts_fire(DALProcess *p)
{
    static char *const outputs[] = {"left", "right"};
    uint64_t number;
    for (int i = 0; i < 2 * BURST; i++) {
        number = p->local->next + (uint64_t)(i % BURST);
        DAL_write(outputs[i / BURST], &number, sizeof(number), p);
    }
    p->local->next += BURST;
    return p->local->next >= wanted;
}

static int turns_fire(DALProcess *p)
{
    uint64_t left, right;
    DAL_read("right", &right, sizeof(right), p);
    DAL_read("left", &left, sizeof(left), p);
    count_wrong(left != right || left != p->local->next++);
    received++;
    return 0;
}

static const struct dal_code bursts = {.state = &state, .fire = bursts_fire};
static const struct dal_code turns = {.state = &state, .fire = turns_fire};

/* One token, there and back. */
static int serve_fire(DALProcess *p)
{
    uint64_t number;
    DAL_read("right", &number, sizeof(number), p);
    count_wrong(number != p->local->next++);
    number++;
    DAL_write("left", &number, sizeof(number), p);
    received++;
    return received == wanted;
}

static int return_fire(DALProcess *p)
{
    uint64_t number;
    if (DAL_at_end("left", p))
        return 1;
    DAL_read("left", &number, sizeof(number), p);
    DAL_write("right", &number, sizeof(number), p);
    return 0;
}

static const struct dal_code serve = {.state = &state, .fire = serve_fire};
static const struct dal_code give_back = {.fire = return_fire};

/* Two KPN processes on two ranks, and two channels of 2 tokens; that to the right may lead back. */
static void describe_two(const struct dal_code *one, const struct dal_code *other, int back)
{
    static const char *const sides[] = {"left", "right"};
    describe_net(2);
    for (int i = 0; i < 2; i++) {
        int from = i && back;
        processes[i].kind = DAL_PROCESS_KPN;
        processes[i].code = i ? other : one;
        processes[i].port_count = 2;
        ports[from][i] =
            (struct dal_port_desc){.name = sides[i], .output = 1, .channel = i, .rate = 1};
        ports[!from][i] = (struct dal_port_desc){.name = sides[i], .channel = i, .rate = 1};
        describe_channel(i, 2);
        channels[i].name = sides[i];
        channels[i].producer = from;
        channels[i].consumer = !from;
        channels[i].kind = DAL_CHANNEL_REMOTE;
        channels[i].next_of_port = 0;
        channels[i].initial_tokens = from;
    }
    whole.process_count = whole.channel_count = 2;
}

/* The left channel has to grow to a burst. */
static void describe_bursts(void)
{
    describe_two(&bursts, &turns, 0);
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static pthread_mutex_t installing = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t joined;
static int results[RANKS];
static const struct dal_monitor_limits *limits; /* NULL: the usual ones */
static unsigned long fail_allocation;
static int has_hit; /* it has failed */

static int install_rank(struct dal_network **network, struct dal_nodes *nodes)
{
    struct dal_network_options options = {
        .nodes = nodes, .part = &nodes->part.net, .limits = limits};
    int status;
    pthread_mutex_lock(&installing);
    status = dal_network_create(network, &whole, &options);
    pthread_mutex_unlock(&installing);
    return dal_nodes_ready(nodes, status);
}

/* What fails does so from here on. Of all ranks. */
static void arm_faults(const struct dal_nodes *nodes)
{
    pthread_barrier_wait(&joined);
    if (nodes->link->rank == 0) {
        arm_calls();
        dal_alloc_fail_at(fail_allocation);
    }
    pthread_barrier_wait(&joined);
}

static int gathered;

/* Each rank reports its number; all clocks of this machine are one. */
static void gather(struct dal_nodes *nodes)
{
    int rank = nodes->link->rank;
    CU_ASSERT(llabs(nodes->clock.offset_ns) <= nodes->clock.error_ns);
    CU_ASSERT(rank == 0 || nodes->clock.error_ns > 0);
    if (dal_nodes_gather(nodes, &rank, sizeof(rank)) < 0 || rank != 0)
        return;
    for (int i = 1; i < rank_count; i++) {
        struct dal_nodes_report report = dal_nodes_report_of(nodes, i);
        gathered += report.count == sizeof(i) && memcmp(report.bytes, &i, sizeof(i)) == 0;
    }
}

/* Returns what the program would end with. */
static int leave_rank(struct dal_network *network, struct dal_nodes *nodes, int status)
{
    dal_nodes_leave(nodes, status);
    pthread_mutex_lock(&installing);
    dal_network_destroy(network);
    pthread_mutex_unlock(&installing);
    status = dal_nodes_verdict(nodes, status);
    dal_nodes_destroy(nodes);
    return status;
}

/* As rt/app/main.c. */
static void run_one(struct dal_link *link)
{
    struct dal_network *network = NULL;
    struct dal_nodes *nodes;
    int status = dal_nodes_join(&nodes, &whole, link, "test");
    if (status < 0) /* nothing of it fails */
        abort();
    arm_faults(nodes);
    status = install_rank(&network, nodes);
    if (status == DAL_OK)
        status = dal_network_run(network);
    if (status == DAL_OK && dal_nodes_gathers(nodes))
        gather(nodes);
    results[nodes->link->rank] = status;
    leave_rank(network, nodes, status);
}

static void *run_rank(void *argument)
{
    (void)argument;
    run_one(NULL);
    return NULL;
}

static int fails_early; /* or not before the run is over */

/* As rt/app/main.c, too, with its reports. */
static void *report_rank(void *argument)
{
    struct dal_network *network = NULL;
    struct dal_nodes *nodes;
    int rank, status = dal_nodes_join(&nodes, &whole, NULL, "test");
    (void)argument;
    if (status < 0)
        abort();
    rank = nodes->link->rank;
    if (fails_early)
        arm_faults(nodes);
    status = install_rank(&network, nodes);
    if (status == DAL_OK)
        status = dal_network_run(network);
    if (!fails_early)
        arm_faults(nodes);
    if (status == DAL_OK)
        status = dal_network_report(network);
    results[rank] = leave_rank(network, nodes, status);
    return NULL;
}

/* ---- ranks with two links: orders in one, the network in its copy ------------------------------
 */

enum { ORDERS = 40 };

static void *run_copy(void *link)
{
    run_one(link);
    return NULL;
}

static int give_orders(struct dal_nodes *nodes)
{
    struct dal_wake wake = {0};
    uint64_t order, notice, noticed[RANKS] = {0};
    for (order = 0; order < ORDERS; order++) {
        dal_command_give(nodes, order);
        while (nodes->status == DAL_OK && !dal_command_answered(nodes)) {
            dal_command_wait(nodes, &wake, dal_wake_prepare(&wake));
            for (int i = 1; i < rank_count; i++)
                if (dal_command_notice_of(nodes, i, &notice)) {
                    count_wrong(notice != noticed[i]++);
                    dal_command_take_notice(nodes, i);
                }
        }
        for (int i = 1; nodes->status == DAL_OK && i < rank_count; i++)
            count_wrong(dal_command_answer_of(nodes, i) != order + (uint64_t)i);
    }
    return nodes->status;
}

/* With as many notices as there is time for. */
static int take_orders(struct dal_nodes *nodes)
{
    struct dal_wake wake = {0};
    uint64_t number, order = 0, notice = 0;
    while (nodes->status == DAL_OK && order < ORDERS) {
        dal_command_wait(nodes, &wake, dal_wake_prepare(&wake));
        if (dal_command_may_notify(nodes))
            dal_command_notify(nodes, notice++);
        if (!dal_command_is_given(nodes))
            continue;
        number = dal_command_take(nodes);
        count_wrong(number != order++);
        dal_command_answer(nodes, number + (uint64_t)nodes->link->rank);
    }
    return nodes->status;
}

/* As rt/app/controller.c. */
static struct dal_nodes *meet_with_orders(void)
{
    struct dal_nodes *nodes;
    if (dal_nodes_join(&nodes, &meeting, NULL, "test") < 0) /* nothing of it fails */
        abort();
    return nodes;
}

static void *run_rank_with_orders(void *argument)
{
    struct dal_nodes *nodes = meet_with_orders();
    struct dal_link *copy;
    pthread_t thread;
    int status = dal_nodes_duplicate(nodes, 1, &copy);
    (void)argument;
    if (status < 0)
        abort();
    pthread_create(&thread, NULL, run_copy, copy);
    status = nodes->link->rank == 0 ? give_orders(nodes) : take_orders(nodes);
    pthread_join(thread, NULL);
    dal_nodes_leave(nodes, status);
    abandoned |= nodes->status < 0;
    dal_nodes_destroy(nodes);
    return NULL;
}

/* The ranks duplicate a link for two networks; the first rank in another order than the others. */
static void *mix_copies(void *result)
{
    struct dal_nodes *nodes = meet_with_orders(), *run = NULL;
    int rank = nodes->link->rank;
    struct dal_link *copies[COPIES];
    for (int i = 0; i < COPIES; i++)
        if (dal_nodes_duplicate(nodes, rank == 0 ? COPIES - i : 1 + i, &copies[i]) < 0)
            abort();
    *(int *)result = dal_nodes_join(&run, &whole, copies[0], "test");
    dal_nodes_leave(nodes, DAL_OK);
    dal_nodes_destroy(nodes);
    return NULL;
}

/* The last one to open its link ends as soon as it has met the others. */
static void *break_rank(void *argument)
{
    struct dal_nodes *nodes;
    int *result = argument;
    *result = dal_nodes_join(&nodes, &whole, NULL, "test");
    if (*result < 0)
        return NULL;
    *result =
        dal_nodes_ready(nodes, nodes->link->rank == rank_count - 1 ? DAL_ERR_INVALID : DAL_OK);
    dal_nodes_leave(nodes, *result);
    *result = dal_nodes_verdict(nodes, *result);
    dal_nodes_destroy(nodes);
    return NULL;
}

enum { STEPS = 1000 }; /* more than any message takes */

/* The first rank stops as soon as all are ready. The last one is late: to the first alone it says
 * that it is ready, and to all once it has heard the stop. */
static void *stop_rank(void *result)
{
    struct dal_nodes *nodes = meet_with_orders();
    struct dal_control control = {0};
    struct dal_idleness idle = {0};
    int status = DAL_OK, is_late = nodes->link->rank == rank_count - 1;
    if (is_late)
        status = dal__say_to(nodes, 0, DAL_SAY_READY, 0);
    while (status == DAL_OK && is_late && !dal__peer_has_said(&nodes->peers[0], DAL_SAY_STOP))
        dal__nodes_idle(nodes, &idle, dal__nodes_step(nodes));
    nodes->control = &control;
    status = status < 0 ? status : dal_nodes_ready(nodes, DAL_OK);
    if (nodes->link->rank == 0)
        dal_control_stop(&control);
    for (int i = 0; i < STEPS && !nodes->told.stop; i++)
        dal__nodes_idle(nodes, &idle, dal__nodes_step(nodes));
    *(int *)result = dal_control_stopping(&control) ? status : DAL_ERR_LIMIT;
    dal_nodes_leave(nodes, status);
    dal_nodes_destroy(nodes);
    return NULL;
}

/* Has the allocation failed that was to? */
static int has_failed_allocation(void)
{
    unsigned long n;
    for (n = 0; n < fail_allocation; n++) {
        void *memory = dal_alloc(1);
        if (!memory)
            return 0;
        dal_free(memory);
    }
    return 1;
}

static void run_ranks(void *(*run)(void *))
{
    pthread_t threads[RANKS];
    pthread_barrier_init(&joined, NULL, (unsigned)rank_count);
    for (int i = 0; i < rank_count; i++)
        pthread_create(&threads[i], NULL, run, &results[i]);
    for (int i = 0; i < rank_count; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&joined);
    has_hit = has_failed_allocation();
    dal_alloc_fail_at(0);
    CU_ASSERT_EQUAL(left_behind, 0);
    forget_all();
}

static int all_are(int status)
{
    int i;
    for (i = 0; i < rank_count && results[i] == status; i++)
        ;
    return i == rank_count;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void test_part(void)
{
    struct dal_part part;
    chance = 1;
    describe_net(2); /* source on a, one on b */
    places[2][0] = places[3][0] = places[4][0] = places[5][0] = 1;
    CU_ASSERT_EQUAL(dal_part_make(&part, &whole, 0), DAL_OK);
    CU_ASSERT_EQUAL(part.net.process_count, 2);
    CU_ASSERT_EQUAL(part.net.channel_count, 1); /* once for two readers */
    CU_ASSERT_STRING_EQUAL(part.net.processes[1].name, "one@b");
    CU_ASSERT_EQUAL(part.net.channels[0].initial_tokens, 0);
    CU_ASSERT_EQUAL(part.flow_count, 1);
    dal_part_finish(&part);
    CU_ASSERT_EQUAL(dal_part_make(&part, &whole, 1), DAL_OK);
    CU_ASSERT_EQUAL(part.net.process_count, 6);
    CU_ASSERT_EQUAL(part.net.channel_count, 5);
    CU_ASSERT_STRING_EQUAL(part.net.processes[5].name, "source@a");
    CU_ASSERT_EQUAL(part.net.channels[0].producer, 5);
    CU_ASSERT_EQUAL(part.net.channels[0].next_of_port, 1);
    CU_ASSERT_EQUAL(part.net.channels[1].initial_tokens, 2);
    CU_ASSERT_EQUAL(part.net.channels[1].consumer, 4);
    CU_ASSERT(part.flows[0].output && part.flows[0].proxy == 5 && part.flows[0].node == 0);
    dal_part_finish(&part);
}

/* What a group says of processes and channels is about those of the part. */
static void test_part_of_a_group(void)
{
    static const struct dal_group_member members[] = {{2, 1}, {3, 1}};
    static const struct dal_group_kept kept[] = {{2, 64}};
    static const struct dal_group_desc group = {
        .name = "group", .members = members, .member_count = 2, .kept = kept, .kept_count = 1};
    struct dal_part part;
    chance = 1;
    describe_net(2);
    places[2][0] = places[3][0] = places[4][0] = places[5][0] = 1;
    whole.groups = &group;
    whole.group_count = 1;
    CU_ASSERT_EQUAL(dal_part_make(&part, &whole, 0), DAL_OK);
    CU_ASSERT_EQUAL(part.net.group_count, 0);
    dal_part_finish(&part);
    CU_ASSERT_EQUAL(dal_part_make(&part, &whole, 1), DAL_OK);
    CU_ASSERT_EQUAL_FATAL(part.net.group_count, 1);
    CU_ASSERT_EQUAL(part.net.groups[0].members[0].process, 1);
    CU_ASSERT_EQUAL(part.net.groups[0].members[1].process, 2);
    CU_ASSERT_EQUAL(part.net.channels[part.net.groups[0].kept[0].channel].producer, 1);
    CU_ASSERT_EQUAL(part.net.groups[0].kept[0].offset, 64);
    dal_part_finish(&part);
}

/* Of three proxies on a, two stand for processes that are connected on b. */
static void test_beyond(void)
{
    struct dal_part part;
    chance = 1;
    describe_net(2);
    places[2][0] = 0; /* source and two on a */
    places[3][0] = places[4][0] = places[5][0] = 1;
    CU_ASSERT_EQUAL(dal_part_make(&part, &whole, 0), DAL_OK);
    CU_ASSERT_EQUAL(part.net.process_count, 5);
    CU_ASSERT_EQUAL(part.net.processes[2].beyond, 3);
    CU_ASSERT_EQUAL(part.net.processes[3].beyond, 2);
    CU_ASSERT_EQUAL(part.net.processes[4].beyond, 4);
    dal_part_finish(&part);
}

enum { NETWORKS = 60, LEAST_ROUNDS = 3 };

/* Of other tests there are more or fewer rounds, as of random networks. */
static unsigned rounds_of(unsigned usual)
{
    long rounds = usual * suite_number("DAL_TEST_NETWORKS", NETWORKS) / NETWORKS;
    return rounds > LEAST_ROUNDS ? (unsigned)rounds : LEAST_ROUNDS;
}

static void test_streams(void)
{
    long round, rounds = suite_number("DAL_TEST_NETWORKS", NETWORKS);
    for (round = 0; round < rounds; round++) {
        chance = (unsigned)round;
        describe_net(2 + (int)draw_chance(RANKS - 1));
        run_ranks(run_rank);
        CU_ASSERT(all_are(DAL_OK));
        if (received != wanted || read_aside != wanted + 2 || wrong)
            printf("round %ld: %llu and %llu of %llu tokens, %llu wrong\n", round,
                   (unsigned long long)received, (unsigned long long)read_aside,
                   (unsigned long long)wanted, (unsigned long long)wrong);
        CU_ASSERT(received == wanted && read_aside == wanted + 2 && wrong + too_large == 0);
    }
}

/* With orders at the same time. */
static void test_orders(void)
{
    unsigned round, rounds = rounds_of(20);
    for (round = 0; round < rounds; round++) {
        chance = round;
        describe_net(2 + (int)(round % (RANKS - 1)));
        run_ranks(run_rank_with_orders);
        CU_ASSERT(all_are(DAL_OK));
        CU_ASSERT(received == wanted && read_aside == wanted + 2 && wrong == 0);
    }
}

static void test_mixed_copies(void)
{
    struct capture said;
    const char *text;
    chance = 1;
    describe_net(3);
    CU_ASSERT_FATAL(capture_begin(&said) == 0);
    run_ranks(mix_copies);
    text = capture_end(&said);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "node b (rank 1) has another use of a link than node a (rank 0)"));
    capture_finish(&said);
    CU_ASSERT(all_are(DAL_ERR_NODE));
}

static void test_reports(void)
{
    unsigned round, rounds = rounds_of(10);
    setenv("DAL_TIMES", "unwritten", 1);
    for (round = 0; round < rounds; round++) {
        chance = round;
        describe_net(2 + (int)(round % (RANKS - 1)));
        gathered = 0;
        run_ranks(run_rank);
        CU_ASSERT(all_are(DAL_OK));
        CU_ASSERT_EQUAL(gathered, rank_count - 1);
    }
    unsetenv("DAL_TIMES");
}

/* Nobody reads any more: all nodes end, and in order. */
static void test_early_end(void)
{
    unsigned round, rounds = rounds_of(10);
    for (round = 0; round < rounds; round++) {
        chance = round;
        describe_net(2 + (int)(round % (RANKS - 1)));
        enough = 50;
        run_ranks(run_rank);
        CU_ASSERT(all_are(DAL_OK));
        CU_ASSERT(received == 50 && read_aside == 50 && wrong == 0);
    }
}

/* Others may still be meeting. */
static void test_break_at_start(void)
{
    unsigned round, rounds = rounds_of(40);
    for (round = 0; round < rounds; round++) {
        chance = round;
        describe_net(2 + (int)(round % (RANKS - 1)));
        run_ranks(break_rank);
        CU_ASSERT(all_are(DAL_ERR_INVALID));
    }
}

static void test_stop_at_start(void)
{
    unsigned round, rounds = rounds_of(10);
    for (round = 0; round < rounds; round++) {
        chance = round;
        describe_net(2 + (int)(round % (RANKS - 1)));
        run_ranks(stop_rank);
        CU_ASSERT(all_are(DAL_OK));
    }
}

static void test_failing_process(void)
{
    unsigned round, rounds = rounds_of(10);
    for (round = 0; round < rounds; round++) {
        chance = round;
        describe_net(RANKS);
        failing = 1;
        run_ranks(run_rank);
        for (int i = 0; i < rank_count; i++)
            CU_ASSERT(results[i] == DAL_ERR_PROCESS || results[i] == DAL_ERR_NODE);
        CU_ASSERT(!all_are(DAL_ERR_NODE));
        CU_ASSERT_EQUAL(wrong, 0);
    }
}

static void test_growth(void)
{
    uint64_t tokens = wanted;
    unsigned round, rounds = rounds_of(5);
    wanted = 5 * BURST;
    for (round = 0; round < rounds; round++) {
        chance = round;
        describe_bursts();
        run_ranks(run_rank);
        CU_ASSERT(all_are(DAL_OK));
        CU_ASSERT(received == wanted && wrong == 0);
    }
    wanted = tokens;
}

/* Both wait most of the time, but never for each other. */
static void test_no_deadlock(void)
{
    unsigned round, rounds = rounds_of(5);
    for (round = 0; round < rounds; round++) {
        chance = round;
        describe_two(&serve, &give_back, 1);
        run_ranks(run_rank);
        CU_ASSERT(all_are(DAL_OK));
        CU_ASSERT(received == wanted && wrong == 0);
    }
}

/* What is at work on one node for longer than anybody may stand still: the others hear of it. */
static void test_slow_rank(void)
{
    static const struct dal_monitor_limits short_stall = {.stall_ns = INT64_C(1000000000)};
    chance = 1;
    describe_net(2);
    limits = &short_stall;
    nap_s = 3;
    run_ranks(run_rank);
    CU_ASSERT(all_are(DAL_OK));
    CU_ASSERT_EQUAL(wrong, 0);
    limits = NULL;
    nap_s = 0;
}

/* A message that is under way for ever is no stall, but has a limit of its own. */
static void test_lost_message(void)
{
    static const struct dal_monitor_limits short_link = {.link_ns = INT64_C(300000000)};
    chance = 1;
    describe_net(2);
    limits = &short_link;
    holds = 1;
    run_ranks(run_rank);
    for (int i = 0; i < rank_count; i++)
        CU_ASSERT(results[i] < 0);
    limits = NULL;
    holds = 0;
}

/* All end, and either all are right or somebody says why not. */
static int run_fault(unsigned round)
{
    int failed = 0;
    chance = round;
    if (round % 3 == 0)
        describe_bursts();
    else
        describe_net(2 + (int)(round % 2));
    for (int i = 0; i < rank_count; i++)
        results[i] = DAL_ERR_NODE;
    run_ranks(round % 4 == 1 ? run_rank_with_orders : run_rank);
    for (int i = 0; i < rank_count; i++)
        failed |= results[i] < 0;
    CU_ASSERT(failed || (received == wanted && wrong == 0));
    return failed;
}

/* Makes faults at every `stride`-th place, farther apart the later; runs of all kinds take turns,
 * whatever the stride. Returns how many runs failed. */
static unsigned count_failed(unsigned long *place, unsigned long last, unsigned long spread)
{
    uint64_t tokens = wanted;
    unsigned long n, stride = suite_stride();
    unsigned failed = 0, round = 0;
    wanted = 200;
    for (n = suite_first(); n < last; n += stride * (1 + n / spread)) {
        *place = n;
        failed += run_fault(round++) != 0;
    }
    *place = 0;
    wanted = tokens;
    return failed;
}

static void test_failing_calls(void)
{
    CU_ASSERT(count_failed(&fail_at, 3000, 6) > 10 / suite_stride());
}

static void test_failing_allocations(void)
{
    CU_ASSERT(count_failed(&fail_allocation, 120, 16) > 5 / suite_stride());
}

static char *read_text(const char *name)
{
    char *text = calloc(1, 1 << 20);
    FILE *file = fopen(name, "r");
    if (file) {
        CU_ASSERT(fread(text, 1, (1 << 20) - 1, file) > 0);
        fclose(file);
    }
    return text;
}

/* What a run writes. */
static const char stats_name[] = "test_nodes-stats.json";
static const char times_name[] = "test_nodes-times.json";
static const char trace_name[] = "test_nodes-trace.json";

static void remove_files(void)
{
    remove(stats_name);
    remove(times_name);
    remove(trace_name);
}

/* Has each process its time, each node its rows? */
static int are_files_whole(void)
{
    char *times = read_text(times_name), *trace = read_text(trace_name), part[64];
    int missing = 0;
    for (int i = 0; i < PROCESSES; i++) {
        snprintf(part, sizeof(part), "{\"process\": \"%s\", ", process_names[i]);
        missing += strstr(times, part) == NULL;
    }
    for (int i = 0; i < rank_count; i++) {
        snprintf(part, sizeof(part), "\"thread_name\",\"pid\":%d,", i + 1);
        missing += strstr(trace, part) == NULL;
    }
    free(times);
    free(trace);
    return missing == 0;
}

/* The table, or the file with the same: of all processes, and of both nodes. */
static int are_stats_whole(const char *said)
{
    char *stats, part[64];
    int missing = 0;
    if (strcmp(getenv("DAL_STATS"), stats_name) != 0)
        return strstr(said, "chain on 2 nodes") != NULL;
    stats = read_text(stats_name);
    for (int i = 0; i < PROCESSES; i++) {
        snprintf(part, sizeof(part), "{\"process\": \"%s\", \"node\": ", process_names[i]);
        missing += strstr(stats, part) == NULL;
    }
    missing += strstr(stats, "\"flows\": [\n  {") == NULL;
    missing += !*stats || strcmp(strrchr(stats, ']'), "]}\n") != 0;
    free(stats);
    return missing == 0;
}

static int count_texts(const char *text, const char *part)
{
    int count = 0;
    while ((text = strstr(text, part))) {
        text += strlen(part);
        count++;
    }
    return count;
}

static int count_failed_ranks(void)
{
    int count = 0;
    for (int i = 0; i < rank_count; i++)
        count += results[i] < 0;
    return count;
}

/* Either the reports are whole, or somebody says why not: each rank once, where the run itself has
 * ended well. Returns whether an allocation has failed. */
static int run_report(void)
{
    struct capture said;
    const char *text;
    int failed, reasons, is_told;
    chance = (unsigned)fail_allocation;
    describe_net(2);
    remove_files();
    CU_ASSERT_FATAL(capture_begin(&said) == 0);
    run_ranks(report_rank);
    text = capture_end(&said);
    failed = count_failed_ranks();
    reasons = count_texts(text, "error: ") - count_texts(text, " ended early: ");
    is_told = fails_early ? reasons >= (failed > 0) : reasons == failed;
    CU_ASSERT(is_told);
    if (!is_told)
        printf("allocation %lu, %d failed:\n%s", fail_allocation, failed, text);
    CU_ASSERT(fails_early || (failed > 0) == has_hit);
    CU_ASSERT(failed || (are_stats_whole(text) && are_files_whole()));
    capture_finish(&said);
    return has_hit;
}

/* Tables or files. */
static void fail_reports(const char *stats)
{
    unsigned long stride = suite_stride();
    setenv("DAL_STATS", stats, 1);
    for (fail_allocation = suite_first(); run_report();)
        fail_allocation += stride;
    CU_ASSERT(fail_allocation > 10);
    fails_early = 1;
    for (fail_allocation = suite_first(); fail_allocation < 120; fail_allocation += stride)
        run_report();
    fails_early = 0;
    remove_files();
    unsetenv("DAL_STATS");
    fail_allocation = 0;
}

static void test_failing_reports(void)
{
    uint64_t tokens = wanted;
    wanted = 20;
    setenv("DAL_TIMES", times_name, 1);
    setenv("DAL_TRACE", trace_name, 1);
    fail_reports("1");
    fail_reports(stats_name);
    unsetenv("DAL_TIMES");
    unsetenv("DAL_TRACE");
    wanted = tokens;
}

/* A report that no message could have goes without its trace, of which the first rank has its own
 * part. */
static void test_large_report(void)
{
    struct dal_transport narrow = fake;
    struct capture said;
    char *trace;
    chance = 1;
    describe_net(2);
    narrow.most_bytes = 1;
    whole.transport = &narrow;
    remove_files();
    setenv("DAL_TRACE", trace_name, 1);
    CU_ASSERT_FATAL(capture_begin(&said) == 0);
    run_ranks(report_rank);
    CU_ASSERT_PTR_NOT_NULL(strstr(capture_end(&said), "has no trace; DAL_TRACE_MB keeps it small"));
    capture_finish(&said);
    CU_ASSERT(all_are(DAL_OK));
    trace = read_text(trace_name);
    CU_ASSERT_PTR_NOT_NULL(strstr(trace, "\"thread_name\",\"pid\":1,"));
    CU_ASSERT_PTR_NULL(strstr(trace, "\"thread_name\",\"pid\":2,"));
    free(trace);
    remove_files();
    unsetenv("DAL_TRACE");
}

int main(void)
{
    static const struct test tests[] = {
        {"a node's part", test_part},
        {"a group in a node's part", test_part_of_a_group},
        {"what is connected elsewhere", test_beyond},
        {"streams over nodes", test_streams},
        {"orders beside streams", test_orders},
        {"links are mixed up", test_mixed_copies},
        {"reports of all nodes", test_reports},
        {"nobody reads any more", test_early_end},
        {"a rank ends while others meet", test_break_at_start},
        {"a rank stops before others are ready", test_stop_at_start},
        {"a process fails", test_failing_process},
        {"processes wait for each other over nodes", test_growth},
        {"a token goes there and back", test_no_deadlock},
        {"a node is at work for long", test_slow_rank},
        {"a message is lost", test_lost_message},
        {"a call of the transport fails", test_failing_calls},
        {"memory runs out", test_failing_allocations},
        {"memory runs out where reports are wanted", test_failing_reports},
        {"a report is too large for a message", test_large_report},
    };
    struct dal_hello hello;
    wanted = (uint64_t)suite_number("DAL_TEST_TOKENS", 3000);
    dal__hello_make(&hello); /* reads the program, which would take long under a schedule */
    return run_suite("nodes", tests, sizeof(tests) / sizeof(tests[0]));
}
