/*
 * Channels that grow while tokens are in them: every consumer gets the producer's tokens, all of
 * them, in order, whatever the rates, whenever the ring is replaced and however late an end
 * notices. One consumer, or several that share the ring; on one thread (kind core, with the
 * producer's windows open or not) and on several.
 */
#include "channels/channel.h"
#include "channels/grow.h"
#include "test/suite.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { ROUNDS = 2000, FIRINGS = 200, TOKENS = 20000, MOST_RATE = 5, MOST_TOKEN = 9 };
enum { MOST_READERS = 3 };

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

/* The channels of a port, one or several. */
struct port {
    struct dal_channel_desc descs[MOST_READERS];
    struct dal_channel *channels[MOST_READERS];
    struct side producer, readers[MOST_READERS];
    int count;
};

static void draw_descs(struct port *port, enum dal_channel_kind kind)
{
    struct dal_channel_desc desc = {
        .name = "grows", .kind = kind, .token_bytes = some(MOST_TOKEN), .rate_in = some(MOST_RATE)};
    desc.capacity = desc.rate_in + MOST_RATE + some(8);
    for (int i = 0; i < port->count; i++) {
        port->descs[i] = desc;
        port->descs[i].consumer = 1 + i;
        port->descs[i].rate_out = some(MOST_RATE);
    }
}

/* Random channels. */
static void make_ring(struct port *port, enum dal_channel_kind kind, int count)
{
    const struct dal_end_config producer = {.listener = &nobody};
    struct dal_end_config consumers[MOST_READERS];
    const struct dal_channel_desc *descs[MOST_READERS];
    int status;
    *port = (struct port){.count = count};
    draw_descs(port, kind);
    for (int i = 0; i < count; i++) {
        descs[i] = &port->descs[i];
        consumers[i] = producer;
    }
    status = dal_port_create(port->channels, descs, count, &producer, consumers);
    CU_ASSERT_EQUAL_FATAL(status, DAL_OK);
    CU_ASSERT(dal_channel_can_grow(port->channels[0]));
    port->producer.end = port->channels[0]->producer;
    for (int i = 0; i < count; i++)
        port->readers[i].end = &port->channels[i]->consumer;
}

static void destroy(struct port *port)
{
    for (int i = 0; i < port->count; i++)
        dal_channel_destroy(port->channels[i]);
}

static void fire_once(struct side *side, unsigned char *window, uint64_t firings)
{
    struct dal_end *end = side->end;
    uint64_t token = end->channel->desc->token_bytes;
    for (uint64_t i = 0; i < firings * end->firing_bytes; i++) {
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
    int open;
    for (open = 0; open < (int)some(3); open++) {
        ready = dal_end_ready(side->end, some(4));
        if (ready == 0)
            break;
        counts[open] = ready;
        windows[open] = dal_end_acquire(side->end, ready);
    }
    for (int i = 0; i < open; i++)
        fire_once(side, windows[i], counts[i]);
}

/* Until the last ring has been taken up, nobody knows what would be more than it has. */
static void grow_channel(struct dal_channel *channel)
{
    if (!atomic_load(&channel->producer->renewed))
        CU_ASSERT_EQUAL(dal_channel_grow(channel, dal_channel_capacity(channel) + some(20)),
                        DAL_OK);
}

static void try_one_thread(struct port *port)
{
    uint64_t before = dal_channel_capacity(port->channels[0]);
    for (int i = 0; i < FIRINGS * port->count; i++) {
        const struct dal_channel *channel = port->channels[rand() % port->count];
        step(rand() % 2 ? &port->producer : &port->readers[rand() % port->count]);
        if (rand() % (10 * port->count) == 0)
            grow_channel(port->channels[0]);
        CU_ASSERT(dal_channel_fill(channel) <= dal_channel_capacity(channel));
    }
    CU_ASSERT(dal_channel_capacity(port->channels[0]) > before);
    for (int i = 0; i < port->count; i++) {
        while (dal_end_ready(port->readers[i].end, 1))
            step(&port->readers[i]);
        CU_ASSERT_EQUAL(port->readers[i].wrong, 0);
        CU_ASSERT(port->producer.next - port->readers[i].next < port->descs[i].rate_out);
    }
}

static void one_thread(void)
{
    struct port port;
    for (int round = 0; round < ROUNDS; round++) {
        make_ring(&port, round % 2 ? DAL_CHANNEL_CORE : DAL_CHANNEL_CORES,
                  1 + round / 2 % MOST_READERS);
        try_one_thread(&port);
        destroy(&port);
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

static void try_threads(struct port *port)
{
    pthread_t threads[1 + MOST_READERS];
    CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[port->count], NULL, run_side, &port->producer),
                          0);
    for (int i = 0; i < port->count; i++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, run_side, &port->readers[i]), 0);
    for (int i = 0; i < 20; i++) {
        grow_channel(port->channels[0]);
        sched_yield();
    }
    for (int i = 0; i <= port->count; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < port->count; i++)
        CU_ASSERT_EQUAL(port->readers[i].wrong, 0);
}

static void several_threads(void)
{
    struct port port;
    for (int round = 0; round < 12; round++) {
        make_ring(&port, DAL_CHANNEL_CORES, 1 + round % MOST_READERS);
        try_threads(&port);
        destroy(&port);
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"rings are replaced between firings", one_thread},
        {"rings are replaced while several threads run", several_threads},
    };
    srand((unsigned)suite_number("DAL_TEST_SEED", 1));
    return run_suite("channels that grow", tests, sizeof(tests) / sizeof(tests[0]));
}
