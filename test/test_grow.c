/*
 * Channels that grow while tokens are in them: the consumer gets the producer's tokens, all of
 * them, in order, whatever the rates, whenever the ring is replaced and however late either end
 * notices. On one thread (kind core, with the producer's windows open or not) and on two.
 */
#include "channels/channel.h"
#include "channels/grow.h"
#include "test/suite.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { ROUNDS = 400, FIRINGS = 200, TOKENS = 20000, MOST_RATE = 5, MOST_TOKEN = 9 };

static uint64_t some(uint64_t most)
{
    return 1 + (uint64_t)rand() % most;
}

static unsigned char pattern(uint64_t token, uint64_t byte)
{
    return (unsigned char)(token * 131 + byte * 29 + (token >> 8));
}

/* One end and how far it has come. */
struct side {
    struct dal_end *end;
    uint64_t next, firings;
    int wrong;
};

static void notify(struct dal_listener *listener)
{
    (void)listener;
}

static struct dal_listener nobody = {.notify = notify};

/* A random channel; its initial tokens are zero bytes, like pattern() of none. */
static struct dal_channel *make(struct dal_channel_desc *desc, enum dal_channel_kind kind)
{
    const struct dal_end_config config = {.listener = &nobody};
    struct dal_channel *channel;
    *desc = (struct dal_channel_desc){.name = "grows",
                                      .kind = kind,
                                      .consumer = 1,
                                      .token_bytes = some(MOST_TOKEN),
                                      .rate_in = some(MOST_RATE),
                                      .rate_out = some(MOST_RATE)};
    desc->capacity = desc->rate_in + desc->rate_out + some(8);
    CU_ASSERT_EQUAL_FATAL(dal_channel_create(&channel, desc, &config, &config), DAL_OK);
    CU_ASSERT(dal_channel_can_grow(channel));
    return channel;
}

static void fire(struct side *side, unsigned char *window, uint64_t firings)
{
    struct dal_end *end = side->end;
    uint64_t token = end->channel->desc->token_bytes, i;
    for (i = 0; i < firings * end->firing_bytes; i++) {
        unsigned char byte = pattern(side->next + i / token, i % token);
        if (end->output)
            window[i] = byte;
        else
            side->wrong += window[i] != byte;
    }
    side->next += firings * end->rate;
    side->firings += firings;
    dal_end_release(end, window, firings);
}

/* Fires if it can; up to three windows are opened before the first is released. */
static void step(struct side *side)
{
    unsigned char *windows[3];
    uint64_t counts[3], ready;
    int open, i;
    for (open = 0; open < (int)some(3); open++) {
        ready = dal_end_ready(side->end, some(4));
        if (ready == 0)
            break;
        counts[open] = ready;
        windows[open] = dal_end_acquire(side->end, ready);
    }
    for (i = 0; i < open; i++)
        fire(side, windows[i], counts[i]);
}

static void grow(struct dal_channel *channel)
{
    uint64_t capacity = atomic_load(&channel->capacity) + some(20);
    int status = dal_channel_grow(channel, capacity);
    CU_ASSERT(status == DAL_OK || status == DAL_ERR_LIMIT);
}

static void one_thread(void)
{
    struct dal_channel_desc desc;
    int round, i;
    for (round = 0; round < ROUNDS; round++) {
        struct dal_channel *channel = make(&desc, round % 2 ? DAL_CHANNEL_CORE : DAL_CHANNEL_CORES);
        struct side in = {.end = &channel->producer}, out = {.end = &channel->consumer};
        uint64_t before = atomic_load(&channel->capacity);
        for (i = 0; i < FIRINGS; i++) {
            step(rand() % 2 ? &in : &out);
            if (rand() % 10 == 0)
                grow(channel);
            CU_ASSERT(dal_channel_fill(channel) <= atomic_load(&channel->capacity));
        }
        while (dal_end_ready(out.end, 1))
            step(&out);
        CU_ASSERT_EQUAL(out.wrong, 0);
        CU_ASSERT(in.next - out.next < desc.rate_out);
        CU_ASSERT(atomic_load(&channel->capacity) > before);
        dal_channel_destroy(channel);
    }
}

static void *run_side(void *argument)
{
    struct side *side = argument;
    while (side->end->output ? side->next < TOKENS : !dal_end_finished(side->end)) {
        uint64_t before = side->next;
        step(side);
        if (side->next == before)
            sched_yield();
    }
    dal_end_close(side->end);
    return NULL;
}

static void two_threads(void)
{
    struct dal_channel_desc desc;
    int round, k;
    for (round = 0; round < 10; round++) {
        struct dal_channel *channel = make(&desc, DAL_CHANNEL_CORES);
        struct side sides[2] = {{.end = &channel->producer}, {.end = &channel->consumer}};
        pthread_t threads[2];
        for (k = 0; k < 2; k++)
            CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[k], NULL, run_side, &sides[k]), 0);
        for (k = 0; k < 20; k++) {
            grow(channel);
            sched_yield();
        }
        for (k = 0; k < 2; k++)
            pthread_join(threads[k], NULL);
        CU_ASSERT_EQUAL(sides[1].wrong, 0);
        dal_channel_destroy(channel);
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"rings are replaced between firings", one_thread},
        {"rings are replaced while two threads run", two_threads},
    };
    const char *seed = getenv("DAL_TEST_SEED");
    srand(seed ? (unsigned)atoi(seed) : 1);
    return run_suite("channels that grow", tests, sizeof(tests) / sizeof(tests[0]));
}
