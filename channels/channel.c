#include "channels/check.h"
#include "channels/newest.h"
#include "channels/port.h"

#include <string.h>

enum { MOST_LOOKS = 16 }; /* for one in which a reader does not move */

/* Can the reader of an output do nothing yet with what is there? It has released no less than is
 * seen here, so it may have fewer tokens, and never more. */
static int are_too_few(const struct dal_end *end, uint64_t visible)
{
    uint64_t least = end->output ? end->port->told_from : 0;
    return least > 1 &&
           visible - atomic_load_explicit(&end->peer->visible, memory_order_relaxed) < least;
}

void dal_end_publish(struct dal_end *end, uint64_t tokens)
{
    uint64_t visible = atomic_load_explicit(&end->visible, memory_order_relaxed) + tokens;
    if (!end->listener) {
        atomic_store_explicit(&end->visible, visible, memory_order_release);
        dal__end_check(end);
        return;
    }
    atomic_store_explicit(&end->visible, visible, memory_order_seq_cst);
    dal__end_check(end);
    if (!are_too_few(end, visible))
        end->listener->notify(end->listener);
}

void dal__host_mirror(struct dal_channel *channel, uint64_t at, uint64_t tokens)
{
    size_t bytes = channel->desc->token_bytes;
    struct dal_move moves[2];
    int i, n = dal_shape_moves(&channel->port->shape, at, tokens, moves);
    for (i = 0; i < n; i++)
        memcpy(channel->host + moves[i].to * bytes, channel->host + moves[i].from * bytes,
               moves[i].count * bytes);
}

/* Makes an empty ring of one core start over, so that its tokens stay in the same cache lines. Does
 * nothing while an end holds a window: an activation may release firings before it ends
 * (rt/host/process.h). */
static void rewind_port(struct dal_port *port)
{
    for (int i = 0; i < port->count; i++)
        if (!dal__end_is_level(&port->channels[i]->consumer, &port->producer) &&
            !dal__end_is_closed(&port->channels[i]->consumer))
            return;
    if (!dal__end_is_level(&port->producer, &port->producer))
        return;
    port->producer.position = 0;
    for (int i = 0; i < port->count; i++)
        port->channels[i]->consumer.position = 0;
}

static void release_tokens(struct dal_end *end, const unsigned char *window, uint64_t tokens)
{
    struct dal_channel *channel = end->channel;
    if (tokens == 0)
        return;
    if (end->output && end->port->shape.tail)
        dal__host_mirror(channel, (uint64_t)(window - channel->host) / channel->desc->token_bytes,
                         tokens);
    if (end->output && end->port->newest)
        dal__newest_publish(end);
    dal_end_publish(end, tokens);
    if (end->port->rewinds)
        rewind_port(end->port);
}

void dal_end_release(struct dal_end *end, const unsigned char *window, uint64_t firings)
{
    release_tokens(end, window, firings * end->rate);
}

void dal_end_move(struct dal_end *end, const unsigned char *window, uint64_t tokens)
{
    end->taken += tokens;
    end->position += tokens * end->channel->desc->token_bytes;
    if (end->position >= end->ring.wrap_bytes)
        end->position -= end->ring.wrap_bytes;
    release_tokens(end, window, tokens);
}

void dal_end_pass(struct dal_end *end, uint64_t tokens)
{
    end->taken += tokens;
    end->seen = end->taken;
    atomic_store_explicit(&end->visible, end->taken, memory_order_release);
}

void dal_channel_pass(struct dal_channel *channel, uint64_t tokens)
{
    dal_end_pass(channel->producer, tokens);
    dal_end_pass(&channel->consumer, tokens);
    dal__end_check(channel->producer);
}

/* ---- a port and its readers -------------------------------------------------------------------
 */

static int is_loop(const struct dal_channel *channel)
{
    return channel->desc->producer == channel->desc->consumer;
}

/* Does the producer wait for this reader? It must be open, and must not change tokens in place. */
static int heeds(const struct dal_port *port, const struct dal_channel *reader)
{
    return reader != port->inplace && !dal__end_is_closed(&reader->consumer);
}

static struct dal_channel *slowest_reader(const struct dal_port *port)
{
    struct dal_channel *slowest = NULL;
    uint64_t least = 0;
    for (int i = 0; i < port->count; i++) {
        struct dal_channel *channel = port->channels[i];
        uint64_t visible = dal__end_visible(&channel->consumer);
        if (!heeds(port, channel) || (slowest && visible >= least))
            continue;
        least = visible;
        slowest = channel;
    }
    return slowest ? slowest : port->channels[0];
}

/* Nobody reads what is under way to a reader that has closed. But until it has arrived, a download
 * reads it on the device, and writes to the host's ring, which others may read. */
static uint64_t arrived_at_closed(const struct dal_channel *channel)
{
    const struct dal_end *publication = channel->consumer.peer;
    uint64_t visible = atomic_load_explicit(&publication->visible, memory_order_relaxed);
    return publication == channel->producer || visible == publication->taken ? UINT64_MAX : visible;
}

void dal__port_look(struct dal_end *end)
{
    const struct dal_port *port = end->port;
    uint64_t slowest = UINT64_MAX;
    if (port->newest) {
        dal__newest_look(end);
        return;
    }
    for (int i = 0; i < port->count; i++) {
        const struct dal_channel *channel = port->channels[i];
        uint64_t visible = dal__end_visible(&channel->consumer);
        if (!heeds(port, channel))
            visible = arrived_at_closed(channel);
        if (visible < slowest)
            slowest = visible;
    }
    end->seen = slowest == UINT64_MAX ? end->taken : slowest;
}

/* The process's own reader closes last: tokens that it sends to itself are no reason to go on. */
static int port_is_finished(const struct dal_port *port)
{
    int readers = port->count;
    for (int i = 0; i < port->count; i++)
        readers -= port->channels[i]->desc->is_tap;
    for (int i = 0; i < port->count; i++)
        if (!dal__end_is_closed(&port->channels[i]->consumer) && !port->channels[i]->desc->is_tap &&
            (readers == 1 || !is_loop(port->channels[i])))
            return 0;
    return 1;
}

static uint64_t furthest_reader(const struct dal_port *port)
{
    uint64_t furthest = 0;
    for (int i = 0; i < port->count; i++) {
        uint64_t visible = dal__end_visible(&port->channels[i]->consumer);
        if (visible > furthest && !port->channels[i]->desc->is_tap)
            furthest = visible;
    }
    return furthest;
}

/* Publications of a port's end. A publication's end has `output` too, but no publications. */
static struct dal_publication *publications_of(const struct dal_end *end)
{
    return end == end->channel->producer ? end->port->publications : NULL;
}

void dal_end_close(struct dal_end *end)
{
    struct dal_publication *publication;
    if (atomic_load_explicit(&end->closed, memory_order_relaxed))
        return;
    atomic_store_explicit(&end->closed, 1, memory_order_seq_cst);
    if (end->listener)
        end->listener->notify(end->listener);
    for (publication = publications_of(end); publication; publication = publication->next)
        dal_end_close(&publication->end);
}

int dal_end_settled(const struct dal_end *end)
{
    const struct dal_publication *publication;
    if (atomic_load_explicit(&end->visible, memory_order_relaxed) != end->taken)
        return 0;
    for (publication = publications_of(end); publication; publication = publication->next)
        if (!dal_end_settled(&publication->end))
            return 0;
    return 1;
}

struct dal_channel *dal_end_channel(const struct dal_end *end)
{
    return end->output ? slowest_reader(end->port) : end->channel;
}

int dal_end_peer_closed(const struct dal_end *end)
{
    const struct dal_end *peer = end->output ? &dal_end_channel(end)->consumer : end->peer;
    return dal__end_is_closed(peer) ||
           (end->output && peer->channel->desc->is_tap && port_is_finished(end->port));
}

int dal_end_is_loop(const struct dal_end *end)
{
    const struct dal_port *port = end->port;
    for (int i = 0; end->output && i < port->count; i++)
        if (!is_loop(port->channels[i]) && !port->channels[i]->desc->is_tap)
            return 0;
    return end->output || is_loop(end->channel);
}

uint64_t dal_channel_capacity(const struct dal_channel *channel)
{
    return atomic_load_explicit(&channel->port->capacity, memory_order_relaxed);
}

size_t dal_channel_ring_bytes(const struct dal_channel *channel)
{
    return channel->port->own->bytes;
}

int dal_channel_is_growing(const struct dal_channel *channel)
{
    return atomic_load_explicit(&channel->producer->renewed, memory_order_acquire) != NULL;
}

uint64_t dal_end_available(struct dal_end *end)
{
    dal_end_ready(end, UINT64_MAX / 2 / end->rate);
    return end->seen + end->credit - end->taken;
}

int dal_end_has(struct dal_end *end, uint64_t tokens)
{
    return end->seen + end->credit - end->taken >= tokens || dal_end_available(end) >= tokens;
}

int dal_end_finished(struct dal_end *end)
{
    if (!end->output && end->port->newest)
        return dal__newest_is_over(end);
    if (!dal__end_is_closed(end->peer) && !(end->output && end->peer->channel->desc->is_tap))
        return 0;
    return end->output ? port_is_finished(end->port) : dal_end_ready(end, 1) == 0;
}

uint64_t dal_end_left(struct dal_end *end)
{
    uint64_t most;
    if (!dal_end_finished(end))
        return UINT64_MAX;
    most = furthest_reader(end->port) + end->credit;
    return most > end->taken ? most - end->taken : 0;
}

uint64_t dal_channel_fill(const struct dal_channel *channel)
{
    uint64_t before, head, tail = dal__end_visible(&channel->consumer);
    uint64_t capacity = dal_channel_capacity(channel);
    int looks = 0;
    if (channel->port->newest) {
        dal_newest_see(channel, &head, &tail, &capacity);
        return head - tail;
    }
    do {
        before = tail;
        head = dal__end_visible(channel->consumer.peer);
        tail = dal__end_visible(&channel->consumer);
    } while (tail != before && ++looks < MOST_LOOKS);
    return tail == before || head - before < capacity ? head - before : capacity;
}
