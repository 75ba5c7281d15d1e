#include "channels/grow.h"

#include "channels/port.h"
#include "include/kinds.h"
#include "rt/base/alloc.h"
#include "rt/base/number.h"

#include <string.h>

int dal_channel_can_grow(const struct dal_channel *channel)
{
    const struct dal_port *port = channel->port;
    if (port->inplace || port->newest)
        return 0;
    for (int i = 0; i < port->count; i++)
        if (dal_channel_traits(port->channels[i]->kind)->most_devices > 0)
            return 0;
    return 1;
}

/* Must the ring be doubly mapped? Then windows of several tokens are contiguous wherever they
 * start. */
static int is_twice(const struct dal_port *port)
{
    int twice = port->producer.rate > 1;
    for (int i = 0; i < port->count; i++)
        twice |= port->channels[i]->consumer.rate > 1;
    return twice;
}

int dal_channel_grow(struct dal_channel *channel, uint64_t capacity)
{
    const char *name = channel->desc->name;
    size_t token = channel->desc->token_bytes, bytes = capacity * token;
    struct dal_ring *ring;
    int twice = is_twice(channel->port), status;
    if (atomic_load_explicit(&channel->producer->renewed, memory_order_relaxed))
        return DAL_ERR_LIMIT; /* nothing else of the ring is read */
    ring = dal_calloc(1, sizeof(*ring));
    if (!ring) {
        dal_log(DAL_LOG_ERROR, "channel %s: no memory to grow", name);
        return DAL_ERR_NOMEM;
    }
    status = dal_storage_host(&ring->storage, twice ? DAL_STORAGE_TWICE : DAL_STORAGE_PLAIN, name,
                              bytes);
    if (status < 0) {
        dal_free(ring);
        return status;
    }
    ring->capacity = capacity;
    ring->view = dal_storage_view(&ring->storage, bytes, 0);
    atomic_store_explicit(&channel->producer->renewed, ring, memory_order_seq_cst);
    return DAL_OK;
}

/* Copies bytes from one ring to another, round the ends of both. */
static void copy_ring(const struct dal_ring_view *to, const struct dal_ring_view *from,
                      size_t from_offset, size_t bytes)
{
    size_t to_offset = 0;
    while (bytes > 0) {
        size_t part =
            dal_least(bytes, dal_least(to->wrap_bytes - to_offset, from->wrap_bytes - from_offset));
        memcpy(to->base + to_offset, from->base + from_offset, part);
        to_offset = (to_offset + part) % to->wrap_bytes;
        from_offset = (from_offset + part) % from->wrap_bytes;
        bytes -= part;
    }
}

/* The unread tokens go to the new ring's beginning, with the slot behind them, which a KPN process
 * may have begun to fill. */
static void move_producer(struct dal_end *end, struct dal_ring *ring)
{
    struct dal_port *port = end->port;
    size_t token = end->channel->desc->token_bytes;
    size_t unread = (size_t)(end->taken - end->seen) * token;
    size_t wrap = end->ring.wrap_bytes, from = (end->position + wrap - unread % wrap) % wrap;
    copy_ring(&ring->view, &end->ring, from, unread + token);
    ring->first_token = end->seen;
    ring->older = port->rings;
    port->rings = ring;
    end->ring = ring->view;
    end->position = unread % ring->view.wrap_bytes;
    end->credit = ring->capacity;
    atomic_store_explicit(&port->capacity, ring->capacity, memory_order_relaxed);
    for (int i = 0; i < port->count; i++)
        atomic_store_explicit(&port->channels[i]->consumer.renewed, ring, memory_order_release);
    /* Whoever sees that it has been taken up also sees the capacity. */
    atomic_store_explicit(&end->renewed, NULL, memory_order_release);
}

static void move_consumer(struct dal_end *end, const struct dal_ring *ring)
{
    size_t ahead = (size_t)(end->taken - ring->first_token) * end->channel->desc->token_bytes;
    end->ring = ring->view;
    end->position = ahead % ring->view.wrap_bytes;
}

void dal__end_renew(struct dal_end *end)
{
    if (!end->output)
        /* The producer may have moved on to yet another ring: the last one has everything. */
        move_consumer(end, atomic_exchange_explicit(&end->renewed, NULL, memory_order_acquire));
    else if (end->taken == atomic_load_explicit(&end->visible, memory_order_relaxed))
        move_producer(end, atomic_load_explicit(&end->renewed, memory_order_acquire));
}

void dal__rings_finish(struct dal_port *port)
{
    struct dal_ring *waiting = atomic_load(&port->producer.renewed);
    if (waiting) {
        waiting->older = port->rings;
        port->rings = waiting;
    }
    while (port->rings) {
        struct dal_ring *ring = port->rings;
        port->rings = ring->older;
        dal_storage_finish(&ring->storage);
        dal_free(ring);
    }
}
