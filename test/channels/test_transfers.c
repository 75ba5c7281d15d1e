/*
 * How often tokens are moved to a device and from it, and when they become visible: ports with
 * staged readers, on a device that counts its commands.
 */
#include "channels/device_end.h"
#include "channels/port.h"

#include "test/idle.h"
#include "test/suite.h"

enum { DEPTH = 16, CAPACITY = 64, READERS = 2, TOKEN = sizeof(uint64_t) };

static struct dal_device device = {
    .backend = &idle_backend,
    .processor = "gpu",
    .info = {.name = "idle",
             .limits = {.align_bytes = 64, .global_bytes = 1 << 30, .alloc_bytes = 1 << 30}}};
static struct dal_queue queue;
static struct dal_wake wake;
static struct dal_channel_desc descs[READERS];
static struct dal_channel *channels[READERS];

/* A port with so many readers; its own process or theirs is on the device. */
static void begin_port(int readers, int from_device)
{
    const struct dal_queue_config config = {.depth = DEPTH};
    const struct dal_end_config host = {.core = -1};
    struct dal_end_config on_device = {.firings = 4, .core = -1};
    const struct dal_channel_desc *of[READERS];
    struct dal_end_config consumers[READERS];
    CU_ASSERT_EQUAL_FATAL(dal_queue_init(&queue, &device, &config, &wake), DAL_OK);
    on_device.queue = &queue;
    for (int i = 0; i < readers; i++) {
        descs[i] = (struct dal_channel_desc){.name = "c",
                                             .kind = DAL_CHANNEL_STAGED,
                                             .consumer = 1 + i,
                                             .capacity = CAPACITY,
                                             .token_bytes = TOKEN,
                                             .rate_in = 1,
                                             .rate_out = 1};
        of[i] = &descs[i];
        consumers[i] = from_device ? host : on_device;
    }
    CU_ASSERT_EQUAL_FATAL(
        dal_port_create(channels, of, readers, from_device ? &on_device : &host, consumers),
        DAL_OK);
    idle_counts = (struct idle_counts){0};
}

static void end(int readers)
{
    CU_ASSERT(dal_queue_flush(&queue) == DAL_OK && dal_queue_poll(&queue) >= 0);
    for (int i = 0; i < readers; i++)
        dal_channel_destroy(channels[i]);
    dal_queue_finish(&queue);
}

static void write_tokens(uint64_t tokens)
{
    struct dal_end *producer = channels[0]->producer;
    while (tokens-- > 0)
        dal_end_release(producer, dal_end_acquire(producer, 1), 1);
}

/* A launch of so many firings at an end on the device. */
static void launch(struct dal_end *end, uint64_t firings)
{
    struct dal_argument argument;
    CU_ASSERT_EQUAL_FATAL(dal_end_ready(end, firings), firings);
    CU_ASSERT_EQUAL_FATAL(dal_device_end_acquire(end, firings, &argument), DAL_OK);
    CU_ASSERT_EQUAL_FATAL(dal_device_end_release(end, firings), DAL_OK);
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* What is there is uploaded at once, ahead of the launches that need it. */
static void ahead(void)
{
    begin_port(1, 0);
    write_tokens(20);
    launch(&channels[0]->consumer, 2);
    CU_ASSERT_EQUAL(idle_counts.writes, 1);
    CU_ASSERT_EQUAL(idle_counts.written_bytes, 20 * TOKEN);
    launch(&channels[0]->consumer, 18);
    CU_ASSERT_EQUAL(idle_counts.writes, 1);
    write_tokens(1);
    launch(&channels[0]->consumer, 1);
    CU_ASSERT_EQUAL(idle_counts.written_bytes, 21 * TOKEN);
    end(1);
}

/* Readers on one queue share a ring there: a token is uploaded once. */
static void uploaded_once(void)
{
    begin_port(2, 0);
    write_tokens(20);
    launch(&channels[0]->consumer, 20);
    launch(&channels[1]->consumer, 20);
    CU_ASSERT_EQUAL(idle_counts.writes, 1);
    CU_ASSERT_EQUAL(idle_counts.written_bytes, 20 * TOKEN);
    end(2);
}

/* Readers on the host have one ring: a token is downloaded once. */
static void downloaded_once(void)
{
    begin_port(2, 1);
    launch(channels[0]->producer, 10);
    CU_ASSERT(dal_queue_flush(&queue) == DAL_OK && dal_queue_poll(&queue) == 1);
    CU_ASSERT_EQUAL(dal_end_available(&channels[0]->consumer), 10);
    CU_ASSERT_EQUAL(dal_end_available(&channels[1]->consumer), 10);
    CU_ASSERT_EQUAL(idle_counts.reads, 1);
    CU_ASSERT_EQUAL(idle_counts.read_bytes, 10 * TOKEN);
    end(2);
}

/* A batch holds no more back than a quarter of the channel, or of the queue's depth: else the other
 * side would have nothing to do until it completes, and the device nothing behind it. */
static void held_back(void)
{
    begin_port(1, 1);
    launch(channels[0]->producer, CAPACITY / 4 - 1);
    CU_ASSERT_EQUAL(dal_queue_launched(&queue), DAL_OK);
    CU_ASSERT_EQUAL(queue.closed, 0);
    launch(channels[0]->producer, 1);
    CU_ASSERT_EQUAL(dal_queue_launched(&queue), DAL_OK);
    CU_ASSERT_EQUAL(queue.closed, 1);
    CU_ASSERT_EQUAL(dal_queue_poll(&queue), 1);
    queue.launches = 0;
    launch(channels[0]->producer, CAPACITY / 4 - 1); /* counted anew */
    CU_ASSERT_EQUAL(dal_queue_launched(&queue), DAL_OK);
    CU_ASSERT_EQUAL(queue.closed, 0);
    end(1);
}

static void share_of_depth(void)
{
    begin_port(1, 1);
    for (int i = 1; i <= DEPTH / 4; i++) {
        CU_ASSERT_EQUAL(queue.closed, 0);
        launch(channels[0]->producer, 1);
        CU_ASSERT_EQUAL(dal_queue_launched(&queue), DAL_OK);
    }
    CU_ASSERT_EQUAL(queue.closed, 1);
    end(1);
}

int main(void)
{
    static const struct test tests[] = {
        {"tokens are uploaded ahead", ahead},
        {"once for all readers of a queue", uploaded_once},
        {"downloaded once for all readers", downloaded_once},
        {"a batch is a quarter of the channel", held_back},
        {"a batch is a quarter of the depth", share_of_depth},
    };
    return run_suite("transfers", tests, sizeof(tests) / sizeof(tests[0]));
}
