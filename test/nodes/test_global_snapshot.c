/*
 * When a global snapshot is a picture of one moment (rt/nodes/global_snapshot.h): views are fed to
 * it in which all processes wait. It may judge them only if nothing has moved, and nothing is under
 * way.
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

static struct dal_wait ring_is_full = {.waiter = 0, .peer = 1, .output = 1};
static struct dal_local_snapshot seen_here; /* what the callbacks sees */
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
    local->rests = seen_here.rests;
    local->count = 1;
    local->waits[0] = ring_is_full;
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

static void begin_snapshots(int outgoing)
{
    memset(peers, 0, sizeof(peers));
    flow =
        (struct dal_flow){.desc = {.node = 1, .output = !outgoing}, .process = &proxy, .end = &end};
    nodes = (struct dal_nodes){.link = &two, .peers = peers, .flows = &flow};
    nodes.part.flow_count = 1;
    now_ns = judged = grown = wants_to_grow = 0;
    CU_ASSERT_EQUAL_FATAL(dal_global_snapshot_init(&nodes.global, &callbacks, 2), DAL_OK);
}

static void answer(const struct dal_local_snapshot *there)
{
    size_t bytes = sizeof(struct dal_local_snapshot) + sizeof(struct dal_wait);
    struct dal_local_snapshot *local = dal__global_snapshot_room(&nodes.global, 1, bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(local);
    *local = *there;
    local->round = nodes.global.round;
    local->count = 1;
    local->waits[0] = ring_is_full;
}

/* Returns whether it is judged. Nothing is before the other one has answered. */
static int make_round(const struct dal_local_snapshot *here, const struct dal_local_snapshot *there)
{
    int before = judged;
    seen_here = *here;
    flow.moved = flow.desc.output ? here->arrived : here->sent;
    now_ns += 1000000000;
    CU_ASSERT_EQUAL(dal__global_snapshot_step(&nodes, now_ns), DAL_OK);
    CU_ASSERT_EQUAL(judged, before);
    CU_ASSERT_EQUAL(peers[1].notes[DAL_SAY_LOOK].number, nodes.global.round);
    answer(there);
    CU_ASSERT_EQUAL(dal__global_snapshot_step(&nodes, now_ns), DAL_OK);
    return judged - before;
}

static void end_snapshots(void)
{
    dal__global_snapshot_finish(&nodes.global, 2);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static const struct dal_local_snapshot resting = {.sum = 100, .rests = 1};

/* The second round of the same sums, not the first, also where nothing has ever moved. */
static void test_all_wait(void)
{
    struct dal_local_snapshot local = {.rests = 1};
    for (local.sum = 0; local.sum < 2; local.sum++) {
        begin_snapshots(1);
        CU_ASSERT_EQUAL(make_round(&local, &local), 0);
        CU_ASSERT_EQUAL(make_round(&local, &local), 1);
        CU_ASSERT_EQUAL(judged_waits, 2);
        end_snapshots();
    }
}

static void test_something_moves(void)
{
    struct dal_local_snapshot moving = resting;
    begin_snapshots(1);
    for (int i = 0; i < 10; i++) {
        moving.sum++;
        CU_ASSERT_EQUAL(make_round(&resting, &moving), 0);
    }
    for (int i = 0; i < 10; i++) {
        moving.sum++;
        CU_ASSERT_EQUAL(make_round(&moving, &resting), 0);
    }
    CU_ASSERT_EQUAL(make_round(&moving, &resting), 1);
    end_snapshots();
}

/* On a device, or in a flow whose transfer is not done. */
static void test_something_is_in_flight(void)
{
    struct dal_local_snapshot busy = resting;
    busy.rests = 0;
    begin_snapshots(1);
    for (int i = 0; i < 10; i++)
        CU_ASSERT_EQUAL(make_round(&resting, &busy) + make_round(&busy, &resting), 0);
    CU_ASSERT_EQUAL(make_round(&resting, &resting), 1);
    flow.count = 1;
    CU_ASSERT_EQUAL(make_round(&resting, &resting), 0);
    end_snapshots();
}

/* The writer's transfer is done, and its rank rests. The reader's rank rests, too, since the
 * message has not come. All processes wait, and no count changes. */
static void test_message_is_under_way(void)
{
    for (int outgoing = 0; outgoing < 2; outgoing++) {
        struct dal_local_snapshot writer = resting, reader = resting;
        const struct dal_local_snapshot *here = outgoing ? &writer : &reader;
        const struct dal_local_snapshot *there = outgoing ? &reader : &writer;
        writer.sent = 7;
        reader.arrived = 4;
        begin_snapshots(outgoing);
        wants_to_grow = 1;
        for (int i = 0; i < 10; i++)
            CU_ASSERT_EQUAL(make_round(here, there), 0);
        CU_ASSERT_EQUAL(grown, 0);
        reader.arrived = 7; /* it comes, but nobody has read of it yet */
        CU_ASSERT_EQUAL(make_round(here, there), 1);
        CU_ASSERT_EQUAL(grown, 1);
        end_snapshots();
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"all wait", test_all_wait},
        {"something moves", test_something_moves},
        {"something is in flight", test_something_is_in_flight},
        {"a message is under way", test_message_is_under_way},
    };
    return run_suite("global snapshot", tests, sizeof(tests) / sizeof(tests[0]));
}
