/*
 * How many rounds the next launch has, and whether it is made now: a launcher by itself, whose
 * kernel reads one channel, on a device that does nothing. Launches are in flight until the test
 * looks for those that have completed.
 */
#include "channels/port.h"
#include "rt/base/clock.h"
#include "rt/device/launcher.h"

#include "test/idle.h"
#include "test/suite.h"

#include <string.h>

enum { DEPTH = 16, COPIES = 8, ROOM = 1000 };

static const int64_t LONG_NS = 100000000000; /* beside it, what the test takes is nothing */

/* ---- the launcher ---------------------------------------------------------------------------- */

static int leave_window(struct dal_end *end, uint64_t firings)
{
    (void)end, (void)firings;
    return DAL_OK;
}

static const struct dal_end_ops left = {leave_window, leave_window};

static const struct dal_process_desc sink_desc = {.name = "sink"};
static struct dal_device device = {.backend = &idle_backend, .processor = "gpu"};
static struct dal_queue queues[2];
static struct dal_wake wake;
static struct dal_handler handler;
static struct dal_process sink;
static struct dal_end producer;
static struct dal_channel channel;
static struct dal_port port;
static struct dal_replica_buffer buffer;
static struct dal_replicas of_end = {.count = 1};
static struct dal_replica end_replica = {.all = &of_end, .queue = &queues[0], .buffer = &buffer};
static struct dal_end *ends[1];
static struct dal_launcher_replica replicas[2];
static struct dal_member member;
static struct dal_argument argument, bound[2];
static dal_event fences[4];
static struct dal_launcher launcher;
static struct dal_queue *both[] = {&queues[0], &queues[1]};
static struct dal_share shares[2];
static struct dal_dealt dealt[2];
static struct dal_dealing dealing;

static void begin_replica(int number)
{
    const struct dal_queue_config config = {.depth = DEPTH};
    CU_ASSERT_EQUAL_FATAL(dal_queue_init(&queues[number], &device, &config, &wake), DAL_OK);
    replicas[number] = (struct dal_launcher_replica){
        .queue = &queues[number], .bound = &bound[number], .work_groups = ROOM};
}

/* Of up to COPIES rounds a launch, one token each, on so many devices. */
static void begin_launcher(int replica_count)
{
    for (int i = 0; i < replica_count; i++)
        begin_replica(i);
    handler = (struct dal_handler){.wake = &wake};
    memset(&producer, 0, sizeof(producer));
    memset(&channel, 0, sizeof(channel));
    memset(&sink, 0, sizeof(sink));
    sink.desc = &sink_desc;
    sink.ops = &dal_process_device;
    channel.port = &port;
    channel.producer = &producer;
    ends[0] = &channel.consumer;
    *ends[0] = (struct dal_end){.rate = 1,
                                .ring = {.contiguous_bytes = ROOM, .wrap_bytes = ROOM},
                                .firing_bytes = 1,
                                .peer = &producer,
                                .channel = &channel,
                                .port = &port,
                                .readers = 1,
                                .ops = &left,
                                .replica = &end_replica};
    member = (struct dal_member){.process = &sink, .firings = 1};
    memset(&launcher, 0, sizeof(launcher));
    launcher = (struct dal_launcher){
        .subject = {"sink", DAL_LOG_ERROR},
        .actor = {.members = &member, .count = 1, .ends = ends, .end_count = 1},
        .work = {.size = {1, 1, 1}, .dimensions = 1},
        .copies = COPIES,
        .handler = &handler,
        .replicas = replicas,
        .replica = replicas,
        .replica_count = replica_count,
        .call = {&argument, fences},
        .pace = {.least = 1, .most = COPIES}};
    idle_counts = (struct idle_counts){0};
}

static void end(void)
{
    for (int i = 0; i < launcher.replica_count; i++)
        dal_queue_finish(&queues[i]);
}

static void write_tokens(uint64_t tokens)
{
    atomic_fetch_add(&producer.visible, tokens);
}

/* A turn of the launcher: rounds that it launches. */
static uint64_t take_turn(void)
{
    uint64_t before = launcher.rounds;
    int launched = idle_counts.launches, status = dal__launcher_run(&launcher.task);
    CU_ASSERT_EQUAL(status, launcher.rounds > before);
    CU_ASSERT_EQUAL(idle_counts.launches - launched, launcher.rounds > before);
    return launcher.rounds - before;
}

/* All launches complete; each has taken so long, or hardly any time for a negative one. */
static void complete_launches(int replica, int64_t time_ns)
{
    struct dal_queue *queue = &queues[replica];
    CU_ASSERT_EQUAL_FATAL(dal_queue_flush(queue), DAL_OK);
    queue->retired_ns = 0;
    for (int i = 0; i <= DEPTH; i++)
        queue->batches[i].closed_ns = dal_tick_ns() - time_ns * queue->batches[i].launches;
    CU_ASSERT(dal_queue_poll(queue) > 0);
    CU_ASSERT_EQUAL(replicas[replica].in_flight, 0);
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* A whole launch does not wait. What is less than one does, while the device has another. */
static void part_waits(void)
{
    begin_launcher(1);
    write_tokens(2 * COPIES + 3);
    CU_ASSERT_EQUAL(take_turn(), COPIES);
    CU_ASSERT_EQUAL(take_turn(), COPIES);
    CU_ASSERT_EQUAL(take_turn(), 0);
    write_tokens(COPIES - 3);
    CU_ASSERT_EQUAL(take_turn(), COPIES);
    write_tokens(3);
    CU_ASSERT_EQUAL(take_turn(), 0);
    complete_launches(0, -LONG_NS);
    CU_ASSERT_EQUAL(take_turn(), 3);
    end();
}

/* On one queue tokens are there as soon as their producer is launched, which is not in flight for
 * long: to wait for more of them would not help. */
static void part_on_one_queue(void)
{
    begin_launcher(1);
    ends[0]->together = 1;
    write_tokens(COPIES + 3);
    CU_ASSERT_EQUAL(take_turn(), COPIES);
    CU_ASSERT_EQUAL(take_turn(), 3);
    end();
}

/* After launches of fewer rounds the next one makes up for them, so that those behind it are whole
 * blocks of S again. */
static void strays(void)
{
    begin_launcher(1);
    launcher.pace.most = 3;
    launcher.pace.stray = 1;
    write_tokens(3);
    CU_ASSERT_EQUAL(take_turn(), 3);
    complete_launches(0, -LONG_NS);
    CU_ASSERT_EQUAL(launcher.pace.most, COPIES);
    write_tokens(3 * COPIES);
    CU_ASSERT_EQUAL(take_turn(), COPIES - 3);
    CU_ASSERT_EQUAL(take_turn(), COPIES);
    CU_ASSERT_EQUAL(launcher.rounds % COPIES, 0);
    end();
}

/* While sizes are tried, every third launch is smaller. The next one makes up for it. */
static void sizes(void)
{
    static const uint64_t rounds[] = {8, 8, 1, 7, 8, 2, 6, 8, 4, 4, 8, 1, 7};
    struct dal_curve curve = {.tries = 1};
    begin_launcher(1);
    replicas[0].curve = &curve;
    for (size_t i = 0; i < sizeof(rounds) / sizeof(rounds[0]); i++) {
        write_tokens(4 * COPIES);
        CU_ASSERT_EQUAL(take_turn(), rounds[i]);
        complete_launches(0, -LONG_NS);
    }
    end();
    begin_launcher(1);
    curve.tries = 0;
    replicas[0].curve = &curve;
    write_tokens(4 * COPIES);
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(take_turn(), COPIES);
    end();
}

/* What a file of times has of launches. */
static void curve_of_launches(void)
{
    struct dal_curve curve = {.ended = 0}, both = {.ended = 0};
    char text[100] = "";
    FILE *file = fmemopen(text, sizeof(text), "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    dal_curve_print(file, ", ", &curve, 1, 1);
    dal_curve_add(&curve, 1, 1000000); /* the first, with cold caches */
    dal_curve_add(&curve, 1, 100);
    dal_curve_add(&curve, 4, 110);
    dal_curve_add(&curve, 7, 150);
    dal_curve_add(&curve, 8, 200);
    dal_curve_add(&curve, UINT64_C(1) << 40, -5);
    dal_curve_merge(&both, &curve);
    dal_curve_merge(&both, &curve);
    dal_curve_print(file, ", ", &both, 3, 2);
    fclose(file);
    CU_ASSERT_STRING_EQUAL(text, ", \"curve\": [2, 6, 100, 4, 66, 260, 2, 48, 200, "
                                 "2, 6597069766656, 0]");
}

/* Two launches that take long keep the device busy. */
static void slow_ones(void)
{
    begin_launcher(1);
    write_tokens(100 * COPIES);
    CU_ASSERT_EQUAL(take_turn(), COPIES);
    complete_launches(0, LONG_NS / COPIES);
    CU_ASSERT(launcher.pace.slow);
    CU_ASSERT_EQUAL(launcher.pace.most, 1);
    CU_ASSERT_EQUAL(take_turn(), 1);
    CU_ASSERT_EQUAL(queues[0].launches - queues[0].open_count, 1); /* begun at once */
    CU_ASSERT_EQUAL(take_turn(), 1);
    CU_ASSERT_EQUAL(take_turn(), 0);
    complete_launches(0, LONG_NS);
    CU_ASSERT(take_turn() > 0);
    end();
}

/* Rounds of a launch grow by 8 while it takes hardly any time, one launch at a time until it is
 * known, up to S; and they shrink to what the time allows, not below the least. */
static void rounds_by_time(void)
{
    begin_launcher(1);
    launcher.copies = 100;
    launcher.pace.least = launcher.pace.most = 2;
    write_tokens(ROOM);
    CU_ASSERT_EQUAL(take_turn(), 2);
    CU_ASSERT_EQUAL(take_turn(), 0);
    complete_launches(0, -LONG_NS);
    CU_ASSERT_EQUAL(take_turn(), 16);
    CU_ASSERT_EQUAL(take_turn(), 0);
    complete_launches(0, -LONG_NS);
    CU_ASSERT_EQUAL(launcher.pace.most, 100);
    CU_ASSERT_EQUAL(take_turn(), 100 - 18);
    complete_launches(0, LONG_NS);
    CU_ASSERT_EQUAL(launcher.pace.most, 2);
    end();
}

/* Two devices, of which the second takes so many times as long. A launch of COPIES rounds is as
 * many blocks, and the channel has room for four. */
static void begin_dealing(int slower)
{
    begin_launcher(2);
    memset(dealt, 0, sizeof(dealt));
    shares[0] = (struct dal_share){.block_ns = 100};
    shares[1] = (struct dal_share){.block_ns = 100 * slower};
    dealing = (struct dal_dealing){.deal = {.parts = COPIES},
                                   .shares = shares,
                                   .dealt = dealt,
                                   .count = 2,
                                   .members = 1,
                                   .room = 4 * COPIES};
    launcher.dealing = &dealing;
    launcher.queues = both;
}

static void end_dealing(void)
{
    dal_deal_finish(&dealing.deal);
    end();
}

/* Devices of one speed take turns. A launch goes no further than its device has rounds. What is in
 * flight on one device is no reason to wait on the other. */
static void replicas_in_turn(void)
{
    begin_dealing(1);
    write_tokens(2 * COPIES - 3);
    CU_ASSERT_EQUAL(take_turn(), COPIES);
    CU_ASSERT_EQUAL(replicas[0].rounds, COPIES);
    CU_ASSERT_EQUAL(take_turn(), COPIES - 3);
    CU_ASSERT_EQUAL(replicas[1].rounds, COPIES - 3);
    CU_ASSERT_EQUAL(take_turn(), 0);
    CU_ASSERT_EQUAL(dealing.deal.dealt, 2 * COPIES);
    write_tokens(COPIES);
    complete_launches(1, -LONG_NS);
    CU_ASSERT_EQUAL(take_turn(), 3);
    CU_ASSERT_EQUAL(replicas[1].rounds, COPIES);
    end_dealing();
}

/* A slower one has less, and none while it has enough. The launcher is told when there is less. */
static void slower_replica(void)
{
    begin_dealing(3);
    write_tokens(ROOM);
    CU_ASSERT_EQUAL(take_turn(), COPIES);
    CU_ASSERT_EQUAL(take_turn(), COPIES / 2);
    CU_ASSERT_EQUAL(replicas[1].rounds, COPIES / 2);
    CU_ASSERT_EQUAL(take_turn(), COPIES);
    CU_ASSERT_EQUAL(replicas[0].rounds, 2 * COPIES);
    CU_ASSERT_EQUAL(take_turn(), COPIES / 2);
    CU_ASSERT_EQUAL(take_turn(), COPIES);
    CU_ASSERT_EQUAL(take_turn(), 0);
    CU_ASSERT_EQUAL(replicas[0].rounds, 3 * COPIES);
    CU_ASSERT_EQUAL(dealing.refused, 1);
    complete_launches(0, -LONG_NS);
    CU_ASSERT_EQUAL(dealing.refused, 0);
    CU_ASSERT_EQUAL(take_turn() > 0, 1);
    end_dealing();
}

/* Goes on for so many steps. A launch of COPIES rounds takes one or, on the second device, `slower`
 * of them; what a device has in flight completes together. A step is a second, by what is noted of
 * when it began. Sets what each replica has launched. */
static void run_steps(int steps, int slower, uint64_t launched[2])
{
    uint64_t before[2] = {replicas[0].rounds, replicas[1].rounds};
    int left[2] = {0, 0}, takes[2] = {0, 0};
    for (int i = 0; i < steps; i++) {
        write_tokens((uint64_t)8 * COPIES);
        for (int k = 0; k < 2; k++) {
            if (replicas[k].in_flight == 0 || (left[k] > 0 && --left[k] > 0))
                continue;
            dealt[k].since_ns = dal_now_ns() - takes[k] * INT64_C(1000000000);
            complete_launches(k, -LONG_NS);
        }
        while (take_turn() > 0)
            ;
        for (int k = 0; k < 2; k++)
            if (left[k] == 0)
                left[k] = takes[k] = ((int)shares[k].open + COPIES - 1) / COPIES * (k ? slower : 1);
    }
    for (int i = 0; i < 2; i++)
        launched[i] = replicas[i].rounds - before[i];
}

/* Nothing is known at first. What slows down gets less, and as much as before once it recovers. */
static void measured(void)
{
    uint64_t launched[2];
    begin_dealing(1);
    shares[0].block_ns = shares[1].block_ns = 0;
    replicas[0].cold = replicas[1].cold = -1;
    run_steps(200, 1, launched);
    CU_ASSERT(launched[1] > launched[0] / 2 && launched[0] > launched[1] / 2);
    run_steps(500, 20, launched);
    CU_ASSERT(launched[1] > 0 && launched[1] < launched[0] / 5);
    run_steps(6000, 1, launched); /* it is tried now and then */
    run_steps(200, 1, launched);
    CU_ASSERT(launched[1] > launched[0] / 2 && launched[0] > launched[1] / 2);
    end_dealing();
}

int main(void)
{
    static const struct test tests[] = {
        {"less than a launch waits while one is in flight", part_waits},
        {"but not for its own queue", part_on_one_queue},
        {"back to whole blocks", strays},
        {"sizes that are tried", sizes},
        {"what launches take by their size", curve_of_launches},
        {"two slow ones in flight", slow_ones},
        {"rounds by the time that they take", rounds_by_time},
        {"replicas in turn", replicas_in_turn},
        {"a slower replica has less", slower_replica},
        {"one slows down, and recovers", measured},
    };
    return run_suite("launcher", tests, sizeof(tests) / sizeof(tests[0]));
}
