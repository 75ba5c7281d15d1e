/*
 * Every kind of channel that the machine offers, with random rates, initial tokens, capacities,
 * token sizes and shadow copies: each reader of a port gets the producer's tokens, all of them, in
 * order, behind its own initial tokens.
 *
 * Tokens are numbered; byte b of token t is pattern(t, b). A device end writes or checks its
 * windows with a kernel. Two devices are wanted for `context`: POCL_DEVICES="pthread basic" (or
 * "cpu cpu-minimal", newer) gives them.
 *
 * With COPYING_MAPS the devices have no fine-grained shared virtual memory, and maps are those of
 * copying_maps.c.
 */
#include "channels/channel.h"
#include "channels/device_end.h"
#include "channels/port.h"
#include "channels/replicas.h"
#include "include/kinds.h"
#include "rt/base/alloc.h"
#include "rt/devices/devices.h"

#include "rt/base/number.h"
#include "test/device.h"
#include "test/suite.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct dal_subject the_process = {"test", DAL_LOG_ERROR};

/* DISTRIBUTED: to several queues, on different devices where there are two. */
enum { HOST, DEVICE_0, DEVICE_1, DISTRIBUTED };
enum { CASES = 8, MOST_COPIES = 5, MOST_READERS = 4, REPLICAS = 3 };

static const char kernels[] =
    "uchar pattern(ulong t, ulong b) { return (uchar)(t * 131 + b * 29 + (t >> 8)); }\n"
    "__kernel void produce(__global uchar *base, ulong at, ulong first, ulong token) {\n"
    "    ulong i = get_global_id(0);\n"
    "    base[at + i] = pattern(first + i / token, i % token);\n"
    "}\n"
    "__kernel void consume(__global const uchar *base, ulong at, ulong first, ulong token,\n"
    "                      __global int *wrong) {\n"
    "    ulong i = get_global_id(0);\n"
    "    if (base[at + i] != pattern(first + i / token, i % token)) atomic_inc(wrong);\n"
    "}\n";

static unsigned char pattern(uint64_t t, uint64_t b)
{
    return (unsigned char)(t * 131 + b * 29 + (t >> 8));
}

static struct dal_devices *devices;
static int device_count;
static struct dal_wake wake;
static int transfers; /* on queues of their own */
static int replica_count = 2;
static int starts_empty; /* no initial tokens */
static int largest = -1; /* most firings of a device end's window, as it says; -1: by chance */
static uint64_t blocks;  /* firings that are distributed to a replica; 0: by chance */
static int mapped_ports; /* so far */
static int halos;        /* so far: channels some of whose tokens are on another replica */

/* A queue's kernel, and the mismatches that it has seen at a consumer. */
struct replica {
    struct dal_queue *queue;
    dal_function kernel;
    dal_memory wrong;
};

struct side {
    struct dal_end *end;
    struct dal_queue *queues[REPLICAS];
    struct replica replicas[REPLICAS];
    int count;                  /* of replicas: 0 on the host */
    struct dal_deal own, *deal; /* distributed: which block is on which, by chance */
    uint64_t copies;  /* most firings in a window of a device end; distributed: of a block */
    uint64_t firings; /* so far */
    uint64_t next;    /* number of the next token */
    uint64_t mismatches;
};

/* What is tried: where the producer is, and how each consumer is reached. */
struct way {
    int from, count;
    struct {
        enum dal_channel_kind kind;
        int to, is_known;             /* what it becomes is known: */
        enum dal_channel_kind wanted; /* this */
    } readers[MOST_READERS];
};

/* Channels of each sort, times one to eight. */
static int cases(void)
{
    return (int)suite_number("DAL_TEST_CASES", CASES);
}

static unsigned rounds(void)
{
    return (unsigned)suite_number("DAL_TEST_ROUNDS", 400);
}

static uint64_t some(uint64_t most)
{
    return 1 + (uint64_t)rand() % most;
}

/* ---- host ends ------------------------------------------------------------------------------- */

static void host_step(struct side *side, uint64_t firings)
{
    unsigned char *window = dal_end_acquire(side->end, firings);
    size_t token = side->end->channel->desc->token_bytes;
    for (size_t i = 0; i < firings * side->end->firing_bytes; i++) {
        unsigned char byte = pattern(side->next + i / token, i % token);
        if (side->end->output)
            window[i] = byte;
        else
            side->mismatches += window[i] != byte;
    }
    dal_end_release(side->end, window, firings);
}

/* ---- device ends ----------------------------------------------------------------------------- */

static int launched(const struct dal_update *update, dal_event event)
{
    struct dal_queue *queue = update->object;
    (void)event;
    queue->launches--;
    return DAL_OK;
}

static const struct replica *next_replica(const struct side *side)
{
    return &side->replicas[side->count > 1
                               ? dal_deal_owner(side->deal,
                                                side->firings * side->deal->parts / side->copies)
                               : 0];
}

/* Returns the firings that are on the next one's replica. It is dealt here, unless a process of the
 * same deal has come by. */
static uint64_t firings_left(const struct side *side)
{
    uint64_t block = side->copies / side->deal->parts;
    while (side->firings / block >= side->deal->dealt)
        if (dal_deal_add(side->deal, rand() % side->count, some(3)) < 0)
            return 0;
    return dal_deal_left(side->deal, side->firings, block, side->copies);
}

static int device_step(struct side *side, uint64_t firings)
{
    uint64_t at, first = side->next, token = side->end->channel->desc->token_bytes;
    /* One build of the kernel. */
    struct dal_launch launch = {1, {firings * side->end->firing_bytes, 1, 1}, {1, 1, 1}};
    const struct replica *replica = next_replica(side);
    const struct dal_backend *backend = replica->queue->backend;
    struct dal_argument argument;
    dal_event fences[2];
    unsigned count;
    int status = dal_device_end_acquire(side->end, firings, &argument);
    at = argument.offset;
    dal_device_end_fences(side->end, fences);
    if (!fences[0])
        fences[0] = fences[1];
    count = (fences[0] != NULL) + (fences[1] && fences[1] != fences[0]);
    if (status == DAL_OK)
        status = backend->set_memory(replica->kernel, &the_process, 0, argument.memory) |
                 backend->set_value(replica->kernel, &the_process, 1, sizeof(at), &at) |
                 backend->set_value(replica->kernel, &the_process, 2, sizeof(first), &first) |
                 backend->set_value(replica->kernel, &the_process, 3, sizeof(token), &token);
    if (status == DAL_OK)
        status = backend->launch(replica->queue->commands, &the_process, replica->kernel, &launch,
                                 fences, count, NULL);
    if (status == DAL_OK)
        status = dal_device_end_release(side->end, firings);
    if (status == DAL_OK)
        status = dal_queue_defer(replica->queue, DAL_AT_COMPLETION,
                                 (struct dal_update){.apply = launched, .object = replica->queue});
    return status < 0 ? status : dal_queue_launched(replica->queue);
}

/* ---- one port -------------------------------------------------------------------------------- */

static int step_most(struct side *side, uint64_t most)
{
    uint64_t left = side->count > 1 ? firings_left(side) : most, firings;
    firings = dal_end_ready(side->end, left < most ? left : most);
    if (firings == 0 || (side->count && !dal_queue_has_room(next_replica(side)->queue)))
        return 0;
    if (side->count == 0)
        host_step(side, firings);
    else if (device_step(side, firings) < 0)
        return -1;
    side->next += firings * side->end->rate;
    side->firings += firings;
    return 1;
}

static int step(struct side *side)
{
    return step_most(side, some(MOST_COPIES));
}

static int service(struct dal_queue *queue)
{
    if (!queue)
        return 0;
    if (rand() % 4 == 0 && dal_queue_flush(queue) < 0)
        return -1;
    return dal_queue_poll(queue);
}

static int settle(struct dal_queue *queue)
{
    if (!queue)
        return 0;
    if (dal_queue_flush(queue) < 0 || queue->backend->finish(queue->commands, &the_process) < 0)
        return -1;
    if (queue->downloads && queue->backend->finish(queue->downloads->commands, &the_process) < 0)
        return -1;
    return dal_queue_poll(queue);
}

/* One port: its producer, and a consumer for each channel. */
struct port {
    struct side producer, readers[MOST_READERS];
    struct dal_channel *channels[MOST_READERS];
    int count;
};

static int is_open(const struct side *side)
{
    return side->end && !side->end->closed;
}

static int some_open(const struct port *port)
{
    int open = 0;
    for (int i = 0; i < port->count; i++)
        open += is_open(&port->readers[i]);
    return open;
}

static int each_replica(const struct side *side, int (*call)(struct dal_queue *queue))
{
    int status = 0;
    for (int i = 0; status >= 0 && i < side->count; i++)
        status = call(side->queues[i]);
    return status;
}

static int each_queue(struct port *port, int (*call)(struct dal_queue *queue))
{
    int i, status = each_replica(&port->producer, call);
    for (i = 0; status >= 0 && i < port->count; i++)
        status = each_replica(&port->readers[i], call);
    return status;
}

static int too_full(const struct port *port, uint64_t capacity)
{
    for (int i = 0; i < port->count; i++)
        if (is_open(&port->readers[i]) && dal_channel_fill(port->channels[i]) > capacity)
            return 1;
    return 0;
}

/* A reader ends before the others: they must not notice. One on a device does once its launches
 * have. */
static int end_one(struct port *port)
{
    struct side *side = &port->readers[rand() % port->count];
    if (some_open(port) < 2 || !is_open(side))
        return 0;
    if (side->count > 0 && each_queue(port, settle) < 0)
        return -1;
    dal_end_close(side->end);
    return 0;
}

static int drive(struct port *port, uint64_t capacity)
{
    for (unsigned round = 0; round < rounds(); round++) {
        int who = rand() % (2 * port->count);
        struct side *side = who < port->count ? &port->readers[who] : &port->producer;
        if ((is_open(side) && step(side) < 0) || each_queue(port, service) < 0)
            return -1;
        if (too_full(port, capacity) || (round % 16 == 0 && each_queue(port, settle) < 0))
            return -1;
        if (rand() % (2 * (int)rounds()) == 0 && end_one(port) < 0)
            return -1;
    }
    for (unsigned round = 0; round < 1000; round++)
        for (int i = 0; i < port->count; i++)
            if ((is_open(&port->readers[i]) && step(&port->readers[i]) < 0) ||
                each_queue(port, settle) < 0)
                return -1;
    return 0;
}

static int open_replica(struct replica *replica, struct dal_queue *queue, int output)
{
    const struct dal_function_source source = {
        .file = "test.cl", .text = kernels, .options = "", .name = output ? "produce" : "consume"};
    const struct dal_backend *backend = queue->backend;
    int32_t zero = 0;
    int status = backend->function(queue->device, &the_process, &source, &replica->kernel);
    replica->queue = queue;
    if (status < 0 || output)
        return status;
    status = backend->memory(queue->device, &the_process, DAL_MEMORY_PLAIN, sizeof(zero), NULL,
                             &replica->wrong);
    if (status == DAL_OK)
        status = backend->write(queue->commands, &the_process, replica->wrong, 0, &zero,
                                sizeof(zero), 1, NULL);
    return status < 0 ? status
                      : backend->set_memory(replica->kernel, &the_process, 4, replica->wrong);
}

static int open_side(struct side *side, int where, int output, struct dal_queue *queues)
{
    int status = DAL_OK;
    *side = (struct side){.copies = MOST_COPIES};
    if (where == HOST)
        return DAL_OK;
    side->count = where == DISTRIBUTED ? replica_count : 1;
    for (int i = 0; status == DAL_OK && i < side->count; i++) {
        side->queues[i] = &queues[where == DISTRIBUTED ? 1 + i : where];
        status = open_replica(&side->replicas[i], side->queues[i], output);
    }
    return status;
}

static void close_replica(struct side *side, const struct replica *replica)
{
    struct dal_queue *queue = replica->queue;
    int32_t wrong = 0;
    if (replica->wrong) {
        suite_read(queue->backend, queue->commands, replica->wrong, &wrong, sizeof(wrong));
        queue->backend->memory_free(queue->device, replica->wrong);
        side->mismatches += (uint64_t)wrong;
    }
    if (replica->kernel)
        queue->backend->function_free(replica->kernel);
}

static void close_side(struct side *side)
{
    dal_deal_finish(&side->own);
    for (int i = 0; i < side->count; i++)
        close_replica(side, &side->replicas[i]);
}

/* The least capacity with these rates and initial tokens. */
static uint64_t least_capacity(const struct dal_channel_desc *desc)
{
    uint64_t g = dal_gcd(desc->rate_in, desc->rate_out);
    uint64_t least = desc->rate_in + desc->rate_out - g + desc->initial_tokens % g;
    return least < desc->initial_tokens ? desc->initial_tokens : least;
}

/* Descriptions of a port's channels: rates and initial tokens are each reader's own, the rest is
 * alike. */
static void draw_descs(struct dal_channel_desc *descs, const struct way *way)
{
    static const uint64_t tokens[] = {1, 3, 4, 12, 100, 1000};
    struct dal_channel_desc desc = {.name = "c", .rate_in = some(7)};
    int i, alike = rand() % 3 == 0;
    desc.token_bytes = tokens[rand() % 6];
    desc.initial_tokens = (uint64_t)rand() % 12 * (uint64_t)!starts_empty;
    for (i = 0; i < way->count; i++) {
        descs[i] = desc;
        descs[i].kind = way->readers[i].kind;
        descs[i].consumer = 1 + i;
        descs[i].rate_out = some(7);
        if (!alike && !starts_empty)
            descs[i].initial_tokens = (uint64_t)rand() % 12;
        if (desc.capacity < least_capacity(&descs[i]))
            desc.capacity = least_capacity(&descs[i]);
    }
    desc.capacity += (uint64_t)rand() % 20;
    for (i = 0; i < way->count; i++)
        descs[i].capacity = desc.capacity;
}

static uint64_t most_initial(const struct dal_channel_desc *descs, int count)
{
    uint64_t most = 0;
    for (int i = 0; i < count; i++)
        most = descs[i].initial_tokens > most ? descs[i].initial_tokens : most;
    return most;
}

/* The bytes of tokens 0 on; a reader's initial tokens are the last of them. */
static unsigned char *set_initial_data(struct dal_channel_desc *descs, int count)
{
    uint64_t tokens = most_initial(descs, count), token = descs->token_bytes, i;
    unsigned char *data = calloc(tokens + 1, token);
    for (i = 0; i < tokens * token; i++)
        data[i] = pattern(i / token, i % token);
    for (int k = 0; k < count; k++)
        descs[k].initial_data = data + (tokens - descs[k].initial_tokens) * token;
    return data;
}

static struct dal_end_config config_of(struct side *side, uint64_t most)
{
    struct dal_end_config config = {.queue = side->queues[0], .firings = most};
    if (side->count < 2)
        return config;
    config.firings = side->copies;
    config.queues = side->queues;
    config.queue_count = side->count;
    return config;
}

/* Half of the distributed readers take from a block what their producer makes of one. */
static void draw_blocks(struct port *port, const struct dal_channel_desc *descs)
{
    port->producer.copies = some(MOST_COPIES);
    for (int i = 0; i < port->count; i++) {
        uint64_t tokens = port->producer.copies * descs[i].rate_in;
        port->readers[i].copies = some(MOST_COPIES);
        if (rand() % 2 && tokens % descs[i].rate_out == 0)
            port->readers[i].copies = tokens / descs[i].rate_out;
    }
    for (int i = 0; blocks && i < port->count; i++)
        port->readers[i].copies = port->producer.copies = blocks;
}

static int make_channels(struct port *port, const struct dal_channel_desc *descs)
{
    const struct dal_channel_desc *pointers[MOST_READERS];
    uint64_t most = largest < 0 ? (uint64_t)(rand() % 2) * MOST_COPIES : (uint64_t)largest;
    struct dal_end_config producer, consumers[MOST_READERS];
    draw_blocks(port, descs);
    producer = config_of(&port->producer, most);
    for (int i = 0; i < port->count; i++) {
        pointers[i] = &descs[i];
        consumers[i] = config_of(&port->readers[i], most);
    }
    return dal_port_create(port->channels, pointers, port->count, &producer, consumers);
}

/* Who has the same blocks by need has the same deal. Those with a halo are of whole launches,
 * others of these or of firings. */
static void join_deals(struct port *port)
{
    port->producer.deal = &port->producer.own;
    for (int i = 0; i < port->count; i++) {
        struct side *side = &port->readers[i];
        side->deal = &side->own;
        for (int k = 0; side->count > 1 && k < i; k++)
            if (dal_end_shares(side->end, port->readers[k].end))
                side->deal = port->readers[k].deal;
        if (side->count > 1 && dal_end_stays(side->end))
            side->deal = &port->producer.own;
    }
}

static void deal_side(struct side *side, int sets)
{
    struct dal_deal *deal = side->deal;
    if (side->count < 2)
        return;
    if (!sets) {
        dal_end_deal(side->end, deal);
        return;
    }
    deal->parts = dal_gcd(deal->parts, side->copies);
    deal->apart |= dal_end_has_halo(side->end);
}

static void deal_port(struct port *port)
{
    join_deals(port);
    for (int sets = 1; sets >= 0; sets--) {
        deal_side(&port->producer, sets);
        for (int i = 0; i < port->count; i++)
            deal_side(&port->readers[i], sets);
        for (int i = -1; sets && i < port->count; i++) {
            struct dal_deal *deal = i < 0 ? &port->producer.own : &port->readers[i].own;
            if (deal->apart || rand() % 2)
                deal->parts = 1;
        }
    }
}

static int open_port(struct port *port, const struct way *way, const struct dal_channel_desc *descs,
                     struct dal_queue *queues)
{
    int i, status = open_side(&port->producer, way->from, 1, queues);
    port->count = way->count;
    for (i = 0; i < way->count; i++)
        status |= open_side(&port->readers[i], way->readers[i].to, 0, queues);
    if (status == DAL_OK)
        status = make_channels(port, descs);
    if (status < 0)
        return status;
    port->producer.end = port->channels[0]->producer;
    port->producer.next = most_initial(descs, way->count);
    for (i = 0; i < way->count; i++) {
        port->readers[i].end = &port->channels[i]->consumer;
        port->readers[i].next = port->producer.next - descs[i].initial_tokens;
        if (dal_channel_fill(port->channels[i]) != descs[i].initial_tokens)
            return DAL_ERR_SYSTEM;
    }
    deal_port(port);
    return DAL_OK;
}

/* The channels are given back in any order. */
static void close_port(struct port *port)
{
    int i, at = rand() % port->count;
    close_side(&port->producer);
    for (i = 0; i < port->count; i++)
        close_side(&port->readers[i]);
    for (i = 0; i < port->count; i++)
        dal_channel_destroy(port->channels[(at + i) % port->count]);
}

/* Between ends that are distributed alike, no more is moved than the halos: there and back. Where a
 * ring has a tail, a token may be copied within it, once. */
static int moves_little(const struct port *port, int reader, const struct dal_channel_desc *desc)
{
    const struct side *side = &port->readers[reader];
    const struct dal_channel *channel = port->channels[reader];
    uint64_t block = side->copies * desc->rate_out;
    uint64_t blocks = port->producer.next / block + 2;
    if (side->count < 2 || channel->kind != DAL_CHANNEL_DEVICE)
        return 1;
    halos += desc->initial_tokens > 0;
    if (!dal_end_has_halo(side->end) && side->end->port->shape.tail > 0)
        return channel->copied_bytes <= port->producer.next * desc->token_bytes;
    return channel->copied_bytes <= 2 * blocks * desc->initial_tokens * desc->token_bytes;
}

/* Has every reader that is open got all, has nobody read anything wrong, and may the producer go
 * on?
 */
static int has_arrived(const struct port *port, const struct way *way,
                       const struct dal_channel_desc *descs)
{
    int good = port->producer.next > 0;
    for (int i = 0; i < port->count; i++) {
        const struct side *reader = &port->readers[i];
        if (is_open(reader))
            good &= port->producer.next - reader->next < descs[i].rate_out;
        good &= moves_little(port, i, &descs[i]);
        good &= !is_open(reader) || dal_end_ready(port->producer.end, 1) > 0;
        good &= !way->readers[i].is_known || port->channels[i]->kind == way->readers[i].wanted;
    }
    return good;
}

static void describe(const struct port *port, const struct dal_channel_desc *descs)
{
    printf("p %llu capacity %llu token %llu: %llu sent\n", (unsigned long long)descs->rate_in,
           (unsigned long long)descs->capacity, (unsigned long long)descs->token_bytes,
           (unsigned long long)port->producer.next);
    for (int i = 0; i < port->count; i++)
        printf("    c %llu d %llu, kind %s on %s: up to %llu received, %llu bytes wrong\n",
               (unsigned long long)descs[i].rate_out, (unsigned long long)descs[i].initial_tokens,
               dal_channel_traits(descs[i].kind)->name,
               port->readers[i].count ? port->readers[i].queues[0]->device->processor : "the host",
               (unsigned long long)port->readers[i].next,
               (unsigned long long)port->readers[i].mismatches);
}

static int try_way(const struct way *way)
{
    struct dal_channel_desc descs[MOST_READERS];
    struct dal_queue_config config = {.depth = 8, .transfers = transfers};
    struct dal_queue queues[1 + REPLICAS] = {{0}};
    struct port port = {.count = 1};
    unsigned char *data;
    int good = 0, status = DAL_OK;
    draw_descs(descs, way);
    data = set_initial_data(descs, way->count);
    for (int i = 1; status == DAL_OK && device_count && i <= REPLICAS; i++)
        status = dal_queue_init(&queues[i], dal_devices_get(devices, (i - 1) % device_count),
                                &config, &wake);
    if (status == DAL_OK)
        status = open_port(&port, way, descs, queues);
    if (status == DAL_OK)
        good = drive(&port, descs->capacity) == 0 && has_arrived(&port, way, descs);
    mapped_ports += good && port.channels[0]->kind == DAL_CHANNEL_MAPPED;
    close_port(&port);
    for (int i = 0; i < port.count; i++)
        good = good && port.readers[i].mismatches == 0;
    if (!good)
        describe(&port, descs);
    for (int i = 1; i <= REPLICAS; i++)
        dal_queue_finish(&queues[i]);
    free(data);
    return good;
}

static void try_kind(enum dal_channel_kind kind, int from, int to, enum dal_channel_kind wanted)
{
    const struct way way = {from, 1, {{kind, to, 1, wanted}}};
    if ((from > to ? from : to) > device_count) {
        printf("needs %d devices, there are %d; ", from > to ? from : to, device_count);
        return;
    }
    for (int i = 0; i < 2 * cases(); i++) {
        transfers = i % 2;
        if (!try_way(&way)) {
            CU_FAIL("tokens got lost, moved or changed");
            return;
        }
    }
    CU_PASS("all tokens arrived");
}

static enum dal_channel_kind unified(void)
{
    const struct dal_device_info *info = device_count ? &dal_devices_get(devices, 0)->info : NULL;
    if (info && info->traits.fine_svm)
        return DAL_CHANNEL_UNIFIED;
    return info && info->traits.unified ? DAL_CHANNEL_MAPPED : DAL_CHANNEL_STAGED;
}

static void core(void)
{
    try_kind(DAL_CHANNEL_CORE, HOST, HOST, DAL_CHANNEL_CORE);
}

static void cores(void)
{
    try_kind(DAL_CHANNEL_CORES, HOST, HOST, DAL_CHANNEL_CORES);
}

static void device(void)
{
    try_kind(DAL_CHANNEL_DEVICE, DEVICE_0, DEVICE_0, DAL_CHANNEL_DEVICE);
}

static void context(void)
{
    int one = device_count > 1 &&
              dal_devices_get(devices, 0)->context == dal_devices_get(devices, 1)->context &&
              dal_devices_get(devices, 0)->info.traits.unified &&
              dal_devices_get(devices, 1)->info.traits.unified;
    try_kind(DAL_CHANNEL_CONTEXT, DEVICE_0, DEVICE_1,
             one ? DAL_CHANNEL_CONTEXT : DAL_CHANNEL_STAGED);
}

/* Of two devices of one context, one or both have a memory of their own. */
static void apart(void)
{
    int i, k, unified[2] = {0};
    for (i = 0; i < device_count; i++)
        unified[i] = dal_devices_get(devices, i)->info.traits.unified;
    for (k = 0; k < 3; k++) {
        for (i = 0; i < device_count; i++)
            dal_devices_get(devices, i)->info.traits.unified = i == k && unified[i];
        try_kind(DAL_CHANNEL_CONTEXT, DEVICE_0, DEVICE_1, DAL_CHANNEL_STAGED);
    }
    for (i = 0; i < device_count; i++)
        dal_devices_get(devices, i)->info.traits.unified = unified[i];
}

/* What is mapped needs windows that lie in blocks, else it is staged. */
static void try_unified(int from, int to)
{
    struct way way = {from, 1, {{DAL_CHANNEL_UNIFIED, to, 0, 0}}};
    if (unified() != DAL_CHANNEL_MAPPED) {
        try_kind(DAL_CHANNEL_UNIFIED, from, to, unified());
        return;
    }
    mapped_ports = 0;
    for (int i = 0; i < 4 * cases() || (mapped_ports < cases() && i < 100 * cases()); i++) {
        way.readers[0].kind = i % 2 ? DAL_CHANNEL_UNIFIED : DAL_CHANNEL_MAPPED;
        transfers = i % 2;
        CU_ASSERT_FATAL(try_way(&way));
    }
    CU_ASSERT(mapped_ports >= cases());
}

static void to_unified(void)
{
    try_unified(HOST, DEVICE_0);
}

static void from_unified(void)
{
    try_unified(DEVICE_0, HOST);
}

/* With the device's own answer or without. */
static void try_without_svm(void (*test)(void))
{
    struct dal_device *device = device_count ? dal_devices_get(devices, 0) : NULL;
    int fine = device && device->info.traits.fine_svm;
    if (!device || !device->info.traits.unified) {
        printf("needs a device that shares memory; ");
        return;
    }
    device->info.traits.fine_svm = 0;
    test();
    device->info.traits.fine_svm = fine;
}

static void to_mapped(void)
{
    try_without_svm(to_unified);
}

static void from_mapped(void)
{
    try_without_svm(from_unified);
}

static void to_staged(void)
{
    try_kind(DAL_CHANNEL_STAGED, HOST, DEVICE_0, DAL_CHANNEL_STAGED);
}

static void from_staged(void)
{
    try_kind(DAL_CHANNEL_STAGED, DEVICE_0, HOST, DAL_CHANNEL_STAGED);
}

static void across_staged(void)
{
    try_kind(DAL_CHANNEL_STAGED, DEVICE_0, DEVICE_1, DAL_CHANNEL_STAGED);
}

static void to_naive(void)
{
    try_kind(DAL_CHANNEL_NAIVE, HOST, DEVICE_0, DAL_CHANNEL_NAIVE);
}

static void from_naive(void)
{
    try_kind(DAL_CHANNEL_NAIVE, DEVICE_0, HOST, DAL_CHANNEL_NAIVE);
}

static void same_naive(void)
{
    try_kind(DAL_CHANNEL_NAIVE, DEVICE_0, DEVICE_0, DAL_CHANNEL_NAIVE);
}

/* ---- distributed to several devices
 * ---------------------------------------------------------------- */

static void try_distributed(int from, int to)
{
    enum dal_channel_kind kinds[] = {DAL_CHANNEL_STAGED, DAL_CHANNEL_NAIVE, DAL_CHANNEL_DEVICE};
    int good;
    if (!device_count) {
        printf("needs a device; ");
        return;
    }
    if (from == HOST || to == HOST)
        kinds[2] = DAL_CHANNEL_UNIFIED;
    for (int i = 0; i < 12 * cases(); i++) {
        const struct way way = {from, 1, {{kinds[rand() % 3], to, 0, 0}}};
        transfers = i % 2;
        replica_count = 2 + rand() % (REPLICAS - 1);
        starts_empty = rand() % 2;
        good = try_way(&way);
        starts_empty = 0;
        if (!good) {
            CU_FAIL("tokens got lost, moved or changed");
            return;
        }
    }
    CU_PASS("all tokens arrived");
}

static void to_distributed(void)
{
    try_distributed(HOST, DISTRIBUTED);
}

static void from_distributed(void)
{
    try_distributed(DISTRIBUTED, HOST);
}

static void between_distributed(void)
{
    try_distributed(DISTRIBUTED, DISTRIBUTED);
}

static void device_to_distributed(void)
{
    try_distributed(DEVICE_0, DISTRIBUTED);
}

static void distributed_to_device(void)
{
    try_distributed(DISTRIBUTED, DEVICE_0);
}

/* Readers with initial tokens, beside others: all but these stay on their device. */
static void halos_are_little(void)
{
    if (!device_count) {
        printf("needs a device; ");
        return;
    }
    halos = 0;
    for (int i = 0; i < 12 * cases() || (halos < cases() && i < 200 * cases()); i++) {
        struct way way = {
            DISTRIBUTED, 1 + rand() % MOST_READERS, {{DAL_CHANNEL_DEVICE, DISTRIBUTED, 0, 0}}};
        for (int k = 1; k < way.count; k++) {
            way.readers[k] = way.readers[0];
            if (rand() % 4 == 0) {
                way.readers[k].kind = DAL_CHANNEL_STAGED;
                way.readers[k].to = HOST;
            }
        }
        transfers = i % 2;
        replica_count = 2 + rand() % (REPLICAS - 1);
        CU_ASSERT_FATAL(try_way(&way));
    }
    printf("%d halos; ", halos);
    CU_ASSERT(halos >= cases());
}

/* ---- several readers ------------------------------------------------------------------------- */

/* A kind that fits, by chance. */
static enum dal_channel_kind draw_kind(int from, int to)
{
    static const enum dal_channel_kind moved[] = {DAL_CHANNEL_STAGED, DAL_CHANNEL_NAIVE};
    if (from == HOST && to == HOST)
        return rand() % 2 ? DAL_CHANNEL_CORE : DAL_CHANNEL_CORES;
    if (rand() % 2)
        return moved[rand() % 2];
    if (from == HOST || to == HOST)
        return DAL_CHANNEL_UNIFIED;
    return from == to ? DAL_CHANNEL_DEVICE : DAL_CHANNEL_CONTEXT;
}

static void try_readers(int from)
{
    if (from == DISTRIBUTED ? !device_count : from > device_count) {
        printf("needs %d devices, there are %d; ", from, device_count);
        return;
    }
    for (int i = 0; i < 8 * cases(); i++) {
        int places = 1 + (device_count < 2 ? device_count : 2);
        int distributed = from == DISTRIBUTED || rand() % 2;
        struct way way = {.from = from, .count = 1 + rand() % MOST_READERS};
        transfers = i % 2;
        for (int k = 0; k < way.count; k++) {
            way.readers[k].to =
                device_count && distributed && rand() % 2 ? DISTRIBUTED : rand() % places;
            way.readers[k].kind = draw_kind(from, way.readers[k].to);
        }
        if (!try_way(&way)) {
            CU_FAIL("tokens got lost, moved or changed");
            return;
        }
    }
    CU_PASS("all tokens arrived everywhere");
}

static void readers_of_host(void)
{
    try_readers(HOST);
}

static void readers_of_device(void)
{
    try_readers(DEVICE_0);
}

static void readers_of_other_device(void)
{
    try_readers(DEVICE_1);
}

static void readers_of_distributed(void)
{
    try_readers(DISTRIBUTED);
}

static void readers_on_cores(void)
{
    static const struct way one_core = {HOST,
                                        3,
                                        {{DAL_CHANNEL_CORE, HOST, 1, DAL_CHANNEL_CORE},
                                         {DAL_CHANNEL_CORE, HOST, 1, DAL_CHANNEL_CORE},
                                         {DAL_CHANNEL_CORE, HOST, 1, DAL_CHANNEL_CORE}}};
    for (int i = 0; i < 4 * cases(); i++)
        if (!try_way(&one_core)) {
            CU_FAIL("tokens got lost, moved or changed");
            return;
        }
    CU_PASS("all tokens arrived everywhere");
}

/* Bytes that were moved for 64 tokens of 4 bytes and rates of 1, of which so many are there at
 * first. */
static uint64_t moved_bytes(const struct way *way, uint64_t initial, int *good)
{
    struct dal_channel_desc descs[MOST_READERS] = {{.name = "c",
                                                    .capacity = 8,
                                                    .token_bytes = 4,
                                                    .rate_in = 1,
                                                    .rate_out = 1,
                                                    .initial_tokens = initial}};
    struct dal_queue_config config = {.depth = 8, .transfers = transfers};
    struct dal_queue queues[3] = {{0}};
    struct port port = {.count = 1};
    unsigned char *data;
    uint64_t bytes = 0;
    int status = DAL_OK;
    for (int i = 1; status == DAL_OK && i < 3; i++)
        status = dal_queue_init(&queues[i], dal_devices_get(devices, (i - 1) % device_count),
                                &config, &wake);
    for (int i = 0; i < way->count; i++) {
        descs[i] = descs[0];
        descs[i].kind = way->readers[i].kind;
    }
    data = set_initial_data(descs, way->count);
    if (status == DAL_OK)
        status = open_port(&port, way, descs, queues);
    while (status >= 0 && port.readers[way->count - 1].next < 64) {
        if (port.producer.next < 64)
            status = step_most(&port.producer, 1);
        for (int i = 0; status >= 0 && i < way->count; i++)
            status = step_most(&port.readers[i], 1);
        if (status >= 0)
            status = each_queue(&port, settle);
    }
    for (int i = 0; status >= 0 && i < way->count; i++)
        bytes += port.channels[i]->copied_bytes;
    close_port(&port);
    for (int i = 0; i < way->count; i++)
        status = port.readers[i].mismatches ? -1 : status;
    for (int i = 1; i < 3; i++)
        dal_queue_finish(&queues[i]);
    free(data);
    *good = status >= 0;
    return bytes;
}

/* Bytes that are copied of 64 tokens of 4, in launches of so many beside blocks of 4. */
static uint64_t copied_bytes(int from, int to, uint64_t firings)
{
    const struct way way = {from, 1, {{DAL_CHANNEL_MAPPED, to, 0, 0}}};
    struct dal_channel_desc desc = {.name = "c",
                                    .kind = DAL_CHANNEL_MAPPED,
                                    .consumer = 1,
                                    .capacity = 16,
                                    .token_bytes = 4,
                                    .rate_in = 1,
                                    .rate_out = 1};
    struct dal_queue_config config = {.depth = 8};
    struct dal_queue queues[3] = {{0}};
    struct port port = {.count = 1};
    uint64_t bytes;
    CU_ASSERT_EQUAL_FATAL(dal_queue_init(&queues[1], dal_devices_get(devices, 0), &config, &wake),
                          DAL_OK);
    CU_ASSERT_EQUAL_FATAL(open_port(&port, &way, &desc, queues), DAL_OK);
    CU_ASSERT_EQUAL(port.channels[0]->kind, DAL_CHANNEL_MAPPED);
    while (port.readers[0].next < 64) {
        CU_ASSERT_FATAL(step_most(&port.producer, firings) >= 0);
        CU_ASSERT_EQUAL_FATAL(each_queue(&port, settle) < 0, 0);
        CU_ASSERT_FATAL(step_most(&port.readers[0], firings) >= 0);
        CU_ASSERT_EQUAL_FATAL(each_queue(&port, settle) < 0, 0);
    }
    bytes = port.channels[0]->copied_bytes;
    close_port(&port);
    CU_ASSERT_EQUAL(port.readers[0].mismatches, 0);
    dal_queue_finish(&queues[1]);
    return bytes;
}

static void blocks_are_lent(void)
{
    largest = 4;
    CU_ASSERT_EQUAL(copied_bytes(HOST, DEVICE_0, 4), 0);
    CU_ASSERT_EQUAL(copied_bytes(DEVICE_0, HOST, 4), 0);
    CU_ASSERT_EQUAL(copied_bytes(HOST, DEVICE_0, 2), 64 * 4);
    CU_ASSERT_EQUAL(copied_bytes(DEVICE_0, HOST, 3), 64 * 4);
    largest = -1;
}

static void lent(void)
{
    try_without_svm(blocks_are_lent);
}

static int told; /* how often a reader was */

static void count_told(struct dal_listener *listener)
{
    (void)listener;
    told++;
}

static void write_tokens(struct dal_end *end, int count)
{
    while (count-- > 0) {
        CU_ASSERT_EQUAL_FATAL(dal_end_ready(end, 1), 1);
        dal_end_release(end, dal_end_acquire(end, 1), 1);
    }
}

/* A reader with a rate of 8 is told of a firing's tokens; of each, if it can do with less. */
static void told_of_firings(void)
{
    static struct dal_listener listener = {.notify = count_told};
    static const int expected[2][3] = {{20, 24, 25}, {20 - 7, 20 - 7 + 1, 20 - 7 + 2}};
    const struct dal_channel_desc desc = {.name = "told",
                                          .kind = DAL_CHANNEL_CORES,
                                          .consumer = 1,
                                          .capacity = 32,
                                          .token_bytes = 4,
                                          .rate_in = 1,
                                          .rate_out = 8};
    const struct dal_channel_desc *descs[] = {&desc};
    for (int whole = 0; whole < 2; whole++) {
        struct dal_end_config producer = {.core = 0};
        struct dal_end_config reader = {.listener = &listener, .core = 1, .fires_whole = whole};
        struct dal_channel *channel;
        told = 0;
        CU_ASSERT_EQUAL_FATAL(dal_port_create(&channel, descs, 1, &producer, &reader), DAL_OK);
        write_tokens(channel->producer, 20);
        CU_ASSERT_EQUAL(told, expected[whole][0]);
        CU_ASSERT_EQUAL(dal_end_ready(&channel->consumer, 3), 2);
        dal_end_release(&channel->consumer, dal_end_acquire(&channel->consumer, 2), 2);
        write_tokens(channel->producer, 4);
        CU_ASSERT_EQUAL(told, expected[whole][1]);
        dal_end_close(channel->producer);
        CU_ASSERT_EQUAL(told, expected[whole][2]);
        dal_channel_destroy(channel);
    }
}

/* Whether a batch that completes wakes its handler, given so long to. */
static int is_woken(int calls_back, int64_t time_ns)
{
    struct dal_device *device = dal_devices_get(devices, 0);
    struct dal_queue_config config = {.depth = 8};
    struct dal_queue queue;
    int real = device->info.traits.calls_back;
    uint32_t sequence = dal_wake_prepare(&wake);
    device->info.traits.calls_back = calls_back;
    CU_ASSERT_EQUAL(dal_queue_init(&queue, device, &config, &wake), DAL_OK);
    queue.dirty = 1;
    CU_ASSERT_EQUAL(dal_queue_flush(&queue), DAL_OK);
    CU_ASSERT_EQUAL(dal_queue_arm(&queue), 1);
    dal_wake_wait(&wake, sequence, time_ns);
    CU_ASSERT_EQUAL(settle(&queue), 1);
    dal_queue_finish(&queue);
    device->info.traits.calls_back = real;
    return atomic_load(&wake.sequence) != sequence;
}

/* A GPU's driver must not be left with a callback to make. */
static void woken(void)
{
    if (device_count == 0) {
        printf("needs a device; ");
        return;
    }
    if (dal_devices_get(devices, 0)->info.traits.calls_back)
        CU_ASSERT(is_woken(1, 300000000000));
    CU_ASSERT(!is_woken(0, 100000000));
}

static void moved_once(void)
{
    static const struct {
        struct way way;
        uint64_t bytes;
    } cases[] = {
        {{HOST, 2, {{DAL_CHANNEL_STAGED, DEVICE_0, 0, 0}, {DAL_CHANNEL_STAGED, DEVICE_0, 0, 0}}},
         256},
        {{HOST, 2, {{DAL_CHANNEL_NAIVE, DEVICE_0, 0, 0}, {DAL_CHANNEL_NAIVE, DEVICE_0, 0, 0}}},
         512},
        {{HOST, 2, {{DAL_CHANNEL_STAGED, DEVICE_0, 0, 0}, {DAL_CHANNEL_CORES, HOST, 0, 0}}}, 256},
        {{HOST, 2, {{DAL_CHANNEL_CORE, HOST, 0, 0}, {DAL_CHANNEL_CORES, HOST, 0, 0}}}, 0},
        {{DEVICE_0, 2, {{DAL_CHANNEL_STAGED, HOST, 0, 0}, {DAL_CHANNEL_STAGED, HOST, 0, 0}}}, 256},
        {{DEVICE_0, 2, {{DAL_CHANNEL_UNIFIED, HOST, 0, 0}, {DAL_CHANNEL_STAGED, HOST, 0, 0}}}, 0},
        {{DEVICE_0, 2, {{DAL_CHANNEL_DEVICE, DEVICE_0, 0, 0}, {DAL_CHANNEL_STAGED, HOST, 0, 0}}},
         256},
        {{DEVICE_0,
          2,
          {{DAL_CHANNEL_DEVICE, DEVICE_0, 0, 0}, {DAL_CHANNEL_DEVICE, DEVICE_0, 0, 0}}},
         0},
        {{DEVICE_0, 2, {{DAL_CHANNEL_NAIVE, HOST, 0, 0}, {DAL_CHANNEL_NAIVE, DEVICE_0, 0, 0}}},
         1024},
    };
    transfers = 0;
    if (!device_count) {
        printf("needs a device; ");
        return;
    }
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int good;
        if (cases[i].way.readers[0].kind == DAL_CHANNEL_UNIFIED && unified() != DAL_CHANNEL_UNIFIED)
            continue;
        CU_ASSERT_EQUAL(moved_bytes(&cases[i].way, 0, &good), cases[i].bytes);
        CU_ASSERT_TRUE(good);
    }
}

/* Where the host has readers, a halo gets there with all else: of 64 tokens in blocks of 4 all
 * but the first come down once, and one of each block goes up. */
static void halos_come_along(void)
{
    static const struct way ways[] = {
        {DISTRIBUTED,
         2,
         {{DAL_CHANNEL_DEVICE, DISTRIBUTED, 0, 0}, {DAL_CHANNEL_STAGED, HOST, 0, 0}}},
        {DISTRIBUTED,
         2,
         {{DAL_CHANNEL_STAGED, HOST, 0, 0}, {DAL_CHANNEL_DEVICE, DISTRIBUTED, 0, 0}}}};
    int good;
    if (!device_count) {
        printf("needs a device; ");
        return;
    }
    replica_count = 2;
    blocks = 4;
    for (int i = 0; i < 4; i++) {
        transfers = i / 2;
        CU_ASSERT_EQUAL(moved_bytes(&ways[i % 2], 1, &good), (63 + 16) * 4);
        CU_ASSERT_TRUE(good);
    }
    blocks = 0;
}

/* ---- ends ------------------------------------------------------------------------------------ */

static void pass(struct dal_end *end, uint64_t firings)
{
    dal_end_release(end, dal_end_acquire(end, firings), firings);
}

static void closing(void)
{
    struct dal_channel_desc desc = {.name = "c",
                                    .kind = DAL_CHANNEL_CORES,
                                    .capacity = 4,
                                    .token_bytes = 4,
                                    .rate_in = 1,
                                    .rate_out = 2};
    const struct dal_channel_desc *descs[] = {&desc};
    struct dal_channel *channel;
    struct dal_end_config none = {0};
    CU_ASSERT_EQUAL_FATAL(dal_port_create(&channel, descs, 1, &none, &none), DAL_OK);
    CU_ASSERT_EQUAL(dal_end_ready(channel->producer, 9), 4);
    pass(channel->producer, 3);
    CU_ASSERT_EQUAL(dal_end_ready(channel->producer, 9), 1);
    CU_ASSERT_EQUAL(dal_end_ready(&channel->consumer, 9), 1);
    dal_end_close(channel->producer);
    CU_ASSERT_FALSE(dal_end_finished(&channel->consumer));
    pass(&channel->consumer, 1);
    CU_ASSERT_TRUE(dal_end_finished(&channel->consumer));
    CU_ASSERT_FALSE(dal_end_finished(channel->producer));
    dal_end_close(&channel->consumer);
    CU_ASSERT_TRUE(dal_end_finished(channel->producer));
    pass(channel->producer, dal_end_ready(channel->producer, 9));
    CU_ASSERT_EQUAL(dal_end_ready(channel->producer, 9), 4);
    dal_channel_destroy(channel);
}

static void pass_all(struct dal_end *end)
{
    uint64_t firings = dal_end_ready(end, 9);
    pass(end, firings);
}

/* The slowest reader counts until it closes. */
static void readers_closing(void)
{
    const struct dal_channel_desc first = {.name = "a",
                                           .kind = DAL_CHANNEL_CORES,
                                           .consumer = 1,
                                           .capacity = 4,
                                           .token_bytes = 4,
                                           .rate_in = 1,
                                           .rate_out = 2},
                                  second = {.name = "b",
                                            .kind = DAL_CHANNEL_CORES,
                                            .consumer = 2,
                                            .capacity = 4,
                                            .token_bytes = 4,
                                            .rate_in = 1,
                                            .rate_out = 1};
    const struct dal_channel_desc *descs[] = {&first, &second};
    struct dal_channel *channels[2];
    struct dal_end_config none[2] = {{0}};
    struct dal_end *port;
    CU_ASSERT_EQUAL_FATAL(dal_port_create(channels, descs, 2, none, none), DAL_OK);
    port = channels[0]->producer;
    CU_ASSERT_EQUAL(dal_end_ready(port, 9), 4);
    pass(port, 4);
    CU_ASSERT_EQUAL(dal_channel_fill(channels[1]), 4);
    pass(&channels[1]->consumer, 3);
    CU_ASSERT_EQUAL(dal_end_ready(port, 9), 0);
    pass(&channels[0]->consumer, 1);
    CU_ASSERT_EQUAL(dal_end_ready(port, 9), 2);
    dal_end_close(&channels[0]->consumer);
    CU_ASSERT_FALSE(dal_end_finished(port));
    CU_ASSERT_EQUAL(dal_end_ready(port, 9), 3);
    pass_all(port);
    dal_end_close(&channels[1]->consumer);
    CU_ASSERT_TRUE(dal_end_finished(port));
    pass_all(port);
    CU_ASSERT_EQUAL(dal_end_ready(port, 9), 4);
    CU_ASSERT_TRUE(dal_end_settled(port));
    dal_end_close(port);
    CU_ASSERT_FALSE(dal_end_finished(&channels[1]->consumer));
    dal_channel_destroy(channels[0]);
    dal_channel_destroy(channels[1]);
}

static void try_closing_early(const struct way *way)
{
    struct dal_channel_desc descs[MOST_READERS] = {
        {.name = "c", .capacity = 4, .token_bytes = 4, .rate_in = 1, .rate_out = 1}};
    struct dal_queue_config config = {.depth = 8, .transfers = 1};
    struct dal_queue queues[3] = {{0}};
    struct port port;
    for (int i = 0; i < way->count; i++) {
        descs[i] = descs[0];
        descs[i].kind = way->readers[i].kind;
    }
    CU_ASSERT_EQUAL_FATAL(dal_queue_init(&queues[1], dal_devices_get(devices, 0), &config, &wake),
                          DAL_OK);
    CU_ASSERT_EQUAL_FATAL(open_port(&port, way, descs, queues), DAL_OK);
    CU_ASSERT_EQUAL(step_most(&port.producer, 4), 1);
    CU_ASSERT_EQUAL(way->count > 1 ? step_most(&port.readers[0], 4) : 1, 1);
    dal_end_close(port.readers[way->count - 1].end);
    CU_ASSERT_EQUAL(dal_end_ready(port.producer.end, 4), 0);
    CU_ASSERT_FALSE(dal_end_settled(port.producer.end));
    CU_ASSERT_EQUAL_FATAL(each_queue(&port, settle) < 0, 0);
    CU_ASSERT_EQUAL(dal_end_ready(port.producer.end, 4), 4);
    CU_ASSERT_TRUE(dal_end_settled(port.producer.end));
    for (int i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(step_most(&port.producer, 4), 1);
        CU_ASSERT_EQUAL(way->count > 1 ? step_most(&port.readers[0], 4) : 1, 1);
    }
    CU_ASSERT_EQUAL(port.channels[way->count - 1]->copied_bytes, 16);
    CU_ASSERT_EQUAL_FATAL(each_queue(&port, settle) < 0, 0);
    close_port(&port);
    CU_ASSERT_EQUAL(port.readers[0].mismatches, 0);
    dal_queue_finish(&queues[1]);
}

/* A reader has closed, and a download for it is under way: what that reads is not written again.
 * The next launches wait for nobody. */
static void readers_closing_early(void)
{
    static const struct way alone = {DEVICE_0, 1, {{DAL_CHANNEL_STAGED, HOST, 0, 0}}};
    static const struct way beside = {
        DEVICE_0, 2, {{DAL_CHANNEL_DEVICE, DEVICE_0, 0, 0}, {DAL_CHANNEL_STAGED, HOST, 0, 0}}};
    if (!device_count) {
        printf("needs a device; ");
        return;
    }
    try_closing_early(&alone);
    try_closing_early(&beside);
}

/* State kept in a channel beside others: it does not keep the process alive. */
static void readers_loop(void)
{
    const struct dal_channel_desc loop = {.name = "state",
                                          .kind = DAL_CHANNEL_CORE,
                                          .capacity = 4,
                                          .token_bytes = 4,
                                          .rate_in = 1,
                                          .rate_out = 1,
                                          .initial_tokens = 1},
                                  out = {.name = "out",
                                         .kind = DAL_CHANNEL_CORE,
                                         .consumer = 1,
                                         .capacity = 4,
                                         .token_bytes = 4,
                                         .rate_in = 1,
                                         .rate_out = 1,
                                         .initial_tokens = 1};
    const struct dal_channel_desc *descs[] = {&loop, &out};
    struct dal_channel *channels[2];
    struct dal_end_config none[2] = {{0}};
    CU_ASSERT_EQUAL_FATAL(dal_port_create(channels, descs, 2, none, none), DAL_OK);
    CU_ASSERT_FALSE(dal_end_is_loop(channels[0]->producer));
    CU_ASSERT_TRUE(dal_end_is_loop(&channels[0]->consumer));
    CU_ASSERT_FALSE(dal_end_finished(channels[0]->producer));
    dal_end_close(&channels[1]->consumer);
    CU_ASSERT_TRUE(dal_end_finished(channels[0]->producer));
    dal_channel_destroy(channels[1]);
    dal_channel_destroy(channels[0]);
}

/* A kind that needs what is not there is refused by name. */
static void refused(void)
{
    struct dal_channel_desc desc = {.name = "c",
                                    .kind = DAL_CHANNEL_STAGED,
                                    .capacity = 4,
                                    .token_bytes = 4,
                                    .rate_in = 1,
                                    .rate_out = 1};
    const struct dal_channel_desc *descs[] = {&desc};
    struct dal_channel *channel;
    struct dal_end_config none = {0};
    CU_ASSERT_EQUAL(dal_port_create(&channel, descs, 1, &none, &none), DAL_ERR_UNSUPPORTED);
    CU_ASSERT_PTR_NULL(channel);
}

static void open_devices(void)
{
    static const char *names[2] = {"first", "second"};
    const struct dal_backend *backend = suite_backend();
    struct dal_device_wish wishes[2];
    struct dal_device_list list;
    size_t i;
    if (!backend || backend->list(&list, DAL_LOG_ERROR) < 0)
        return;
    for (i = 0; i < list.count && i < 2; i++)
        wishes[i] = (struct dal_device_wish){backend, list.info[i].identifier, names[i]};
    if (i && dal_devices_open(&devices, wishes, (int)i, 1, DAL_LOG_ERROR) == DAL_OK)
        device_count = (int)i;
    backend->list_finish(&list);
#ifdef COPYING_MAPS
    for (i = 0; i < (size_t)device_count; i++)
        dal_devices_get(devices, (int)i)->info.traits.fine_svm = 0;
#endif
}

/* The peer looks for the end of a channel before each of its activations. That is not in the cache
 * line that changes with each release, nor in the one that the owner writes. */
static void lines(void)
{
    size_t closed = offsetof(struct dal_end, closed) / 64;
    CU_ASSERT_NOT_EQUAL(closed, offsetof(struct dal_end, visible) / 64);
    CU_ASSERT_NOT_EQUAL(closed, offsetof(struct dal_end, taken) / 64);
}

int main(void)
{
    static const struct test tests[] = {
        {"lines", lines},
        {"closing", closing},
        {"refused", refused},
        {"woken at completion", woken},
        {"told of firings", told_of_firings},
        {"core", core},
        {"cores", cores},
        {"device", device},
        {"context", context},
        {"one context, two memories", apart},
        {"host to device, unified", to_unified},
        {"device to host, unified", from_unified},
        {"host to device, mapped", to_mapped},
        {"device to host, mapped", from_mapped},
        {"mapped: whole blocks are lent", lent},
        {"host to device, staged", to_staged},
        {"device to host, staged", from_staged},
        {"device to device, staged", across_staged},
        {"host to device, naive", to_naive},
        {"device to host, naive", from_naive},
        {"device to itself, naive", same_naive},
        {"readers: closing", readers_closing},
        {"readers: closing early", readers_closing_early},
        {"readers: channel to itself", readers_loop},
        {"readers on cores", readers_on_cores},
        {"readers: moved once", moved_once},
        {"readers of the host", readers_of_host},
        {"readers of a device", readers_of_device},
        {"readers of another device", readers_of_other_device},
        {"host to distributed", to_distributed},
        {"distributed to host", from_distributed},
        {"distributed to distributed", between_distributed},
        {"device to distributed", device_to_distributed},
        {"distributed to device", distributed_to_device},
        {"readers of a distributed process", readers_of_distributed},
        {"distributed: halos", halos_are_little},
        {"distributed: halos beside the host", halos_come_along},
    };
    int failed;
    srand((unsigned)suite_number("DAL_TEST_SEED", 1));
    open_devices();
    failed = run_suite("channels", tests, sizeof(tests) / sizeof(tests[0]));
    dal_devices_close(devices);
    return failed;
}
