/*
 * What a global snapshot is judged by (rt/nodes/global_snapshot.h): views are fed to it in which
 * all processes wait. A flow counts as one that waits only where its two nodes agree, and nothing
 * is under way.
 */
#include "rt/nodes/nodes.h"

#include "test/suite.h"

#include <string.h>

/* This rank, which asks, and another one; a flow between them. */
static struct dal_peer peers[2];
static struct dal_flow flow;
static struct dal_process proxy;
static struct dal_end end;
static struct dal_nodes nodes;
static int64_t now_ns;

/* Of two processes, a flow from the one here, and its wait for the other one. */
static const struct dal_net whole = {.process_count = 2, .channel_count = 1};
static const struct dal_wait for_flow = {.waiter = 0, .peer = 2, .output = 1};
static const struct dal_wait of_flow = {.waiter = 2, .peer = 1, .rank = 1, .output = 1};

/* What a rank sees: its flow has moved so much, and has something under way or not. */
struct view {
    uint64_t sum, moved;
    int under_way, count;
};
static struct view seen_here;
static int judged, judged_waits, grown, wants_to_grow;

static int send_at_once(struct dal_link *link, int rank, int tag, const void *bytes, size_t count,
                        struct dal_transfer *transfer)
{
    (void)link, (void)rank, (void)tag, (void)bytes, (void)count;
    transfer->done = 1;
    return DAL_OK;
}

static const struct dal_transport transport = {.name = "none", .send = send_at_once};
static struct dal_link two = {.transport = &transport, .rank = 0, .count = 2};

static void look_at_it(void *network, struct dal_local_snapshot *local)
{
    (void)network;
    local->sum = seen_here.sum;
    local->count = seen_here.count;
    local->waits[0] = for_flow;
}

static const struct dal_wait *judge_it(void *network, struct dal_wait *waits, int count)
{
    (void)network;
    judged++;
    judged_waits = count;
    return wants_to_grow ? waits : NULL;
}

static void grow_it(void *network, int ring)
{
    (void)network, (void)ring;
    grown++;
}

static const struct dal_snapshot_callbacks callbacks = {
    .most_waits = 1, .look = look_at_it, .judge = judge_it, .grow = grow_it};

static void begin_snapshots(void)
{
    memset(peers, 0, sizeof(peers));
    flow = (struct dal_flow){.desc = {.node = 1}, .process = &proxy, .end = &end};
    nodes = (struct dal_nodes){.link = &two, .whole = &whole, .peers = peers, .flows = &flow};
    nodes.part.flow_count = 1;
    now_ns = judged = grown = wants_to_grow = 0;
    CU_ASSERT_EQUAL_FATAL(dal_global_snapshot_init(&nodes.global, &callbacks, 2), DAL_OK);
}

static void answer(const struct view *there)
{
    size_t bytes = sizeof(struct dal_local_snapshot) + (size_t)there->count * sizeof(of_flow);
    struct dal_local_snapshot *local = dal__global_snapshot_room(&nodes.global, 1, bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(local);
    *local = (struct dal_local_snapshot){
        .round = nodes.global.round, .sum = there->sum, .count = there->count};
    if (there->count == 0)
        return;
    local->waits[0] = of_flow;
    local->waits[0].moved = there->moved;
    local->waits[0].rests = !there->under_way;
}

/* Returns how many waits are judged. None is before the other one has answered. */
static int make_round(const struct view *here, const struct view *there)
{
    int before = judged;
    seen_here = *here;
    flow.moved = here->moved;
    flow.count = here->under_way;
    now_ns += 1000000000;
    CU_ASSERT_EQUAL(dal__global_snapshot_step(&nodes, now_ns), DAL_OK);
    CU_ASSERT_EQUAL(judged, before);
    CU_ASSERT_EQUAL(peers[1].notes[DAL_SAY_LOOK].number, nodes.global.round);
    answer(there);
    CU_ASSERT_EQUAL(dal__global_snapshot_step(&nodes, now_ns), DAL_OK);
    CU_ASSERT_EQUAL(judged, before + 1);
    return judged_waits;
}

static void end_snapshots(void)
{
    dal__global_snapshot_finish(&nodes.global, 2);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static const struct view resting = {.sum = 100, .moved = 7, .count = 1};

static void test_all_wait(void)
{
    begin_snapshots();
    wants_to_grow = 1;
    CU_ASSERT_EQUAL(make_round(&resting, &resting), 2);
    CU_ASSERT_EQUAL(grown, 1);
    end_snapshots();
}

/* Others may go on for ever: these wait for each other all the same. Rounds are rare once nothing
 * moves. */
static void test_others_move(void)
{
    struct view moving = resting;
    int64_t pause_ns;
    begin_snapshots();
    make_round(&resting, &moving);
    pause_ns = nodes.global.next_ns - now_ns;
    for (int i = 0; i < 10; i++) {
        moving.sum++;
        CU_ASSERT_EQUAL(i % 2 ? make_round(&resting, &moving) : make_round(&moving, &resting), 2);
        CU_ASSERT_EQUAL(nodes.global.next_ns - now_ns, pause_ns);
    }
    for (int i = 0; i < 10; i++)
        CU_ASSERT_EQUAL(make_round(&resting, &moving), 2);
    CU_ASSERT(nodes.global.next_ns - now_ns > pause_ns);
    end_snapshots();
}

/* A transfer is not done at one side. */
static void test_transfer_is_open(void)
{
    struct view busy = resting;
    busy.under_way = 1;
    begin_snapshots();
    CU_ASSERT_EQUAL(make_round(&resting, &busy), 1);
    CU_ASSERT_EQUAL(make_round(&busy, &resting), 1);
    CU_ASSERT_EQUAL(make_round(&resting, &resting), 2);
    end_snapshots();
}

/* The transfer is done at the writer's side, and the message has not come to the other one. */
static void test_message_is_under_way(void)
{
    struct view reader = resting;
    reader.moved = 4;
    begin_snapshots();
    for (int i = 0; i < 10; i++)
        CU_ASSERT_EQUAL(make_round(&resting, &reader), 1);
    reader.moved = 7; /* it comes, but nobody has read of it yet */
    CU_ASSERT_EQUAL(make_round(&resting, &reader), 2);
    end_snapshots();
}

/* Of the node that says nothing it is not known what it has moved. */
static void test_one_node_is_silent(void)
{
    struct view silent = resting;
    silent.count = 0;
    begin_snapshots();
    CU_ASSERT_EQUAL(make_round(&resting, &silent), 1);
    CU_ASSERT_EQUAL(make_round(&silent, &resting), 0);
    end_snapshots();
}

int main(void)
{
    static const struct test tests[] = {
        {"all wait", test_all_wait},
        {"others move", test_others_move},
        {"a transfer is open", test_transfer_is_open},
        {"a message is under way", test_message_is_under_way},
        {"one node is silent", test_one_node_is_silent},
    };
    return run_suite("global snapshot", tests, sizeof(tests) / sizeof(tests[0]));
}
