#include "channels/check.h"
#include "channels/port.h"

#include <string.h>

enum { MOST_LOOKS = 16 }; /* for one in which a reader does not move */

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

static void release_tokens(struct dal_end *end, const unsigned char *window, uint64_t tokens)
{
    struct dal_channel *channel = end->channel;
    if (tokens == 0)
        return;
    if (end->output && end->port->shape.tail)
        dal__host_mirror(channel, (uint64_t)(window - channel->host) / channel->desc->token_bytes,
                         tokens);
    dal_end_publish(end, tokens);
    if (end->port->rewinds)
        dal__port_rewind(end->port);
}

void dal_end_release(struct dal_end *end, const unsigned char *window, uint64_t firings)
{
    release_tokens(end, window, firings * end->rate);
}

void dal_end_move(struct dal_end *end, const unsigned char *window, uint64_t tokens)
{
    end->taken += tokens;
    end->position += tokens * end->channel->desc->token_bytes;
    if (end->position >= end->wrap_bytes)
        end->position -= end->wrap_bytes;
    release_tokens(end, window, tokens);
}

void dal_channel_pass(struct dal_channel *channel, uint64_t tokens)
{
    struct dal_end *producer = channel->producer, *consumer = &channel->consumer;
    uint64_t count = producer->taken + tokens;
    producer->taken = producer->seen = consumer->taken = consumer->seen = count;
    atomic_store_explicit(&producer->visible, count, memory_order_release);
    atomic_store_explicit(&consumer->visible, count, memory_order_release);
    dal__end_check(producer);
}

void dal_end_pass(struct dal_end *end, uint64_t tokens)
{
    end->taken += tokens;
    end->seen = end->taken;
    atomic_store_explicit(&end->visible, end->taken, memory_order_release);
}

/* A moment's end has `output` as well. */
static int is_port(const struct dal_end *end)
{
    return end == end->channel->producer;
}

void dal_end_close(struct dal_end *end)
{
    if (atomic_load_explicit(&end->closed, memory_order_relaxed))
        return;
    atomic_store_explicit(&end->closed, 1, memory_order_seq_cst);
    if (end->listener)
        end->listener->notify(end->listener);
    if (is_port(end))
        dal__port_close(end->port);
}

int dal_end_settled(const struct dal_end *end)
{
    return atomic_load_explicit(&end->visible, memory_order_relaxed) == end->taken &&
           (!is_port(end) || dal__port_settled(end->port));
}

struct dal_channel *dal_end_channel(const struct dal_end *end)
{
    return end->output ? dal__port_slowest(end->port) : end->channel;
}

int dal_end_peer_closed(const struct dal_end *end)
{
    const struct dal_end *peer = end->output ? &dal_end_channel(end)->consumer : end->peer;
    return atomic_load_explicit(&peer->closed, memory_order_acquire);
}

int dal_end_is_loop(const struct dal_end *end)
{
    if (end->output)
        return dal__port_is_loop(end->port);
    return end->channel->desc->producer == end->channel->desc->consumer;
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
    if (!atomic_load_explicit(&end->peer->closed, memory_order_acquire))
        return 0;
    return end->output ? dal__port_finished(end->port) : dal_end_ready(end, 1) == 0;
}

uint64_t dal_end_left(struct dal_end *end)
{
    uint64_t most;
    if (!dal_end_finished(end))
        return UINT64_MAX;
    most = dal__port_furthest(end->port) + end->credit;
    return most > end->taken ? most - end->taken : 0;
}

uint64_t dal_channel_fill(const struct dal_channel *channel)
{
    uint64_t before, head,
        tail = atomic_load_explicit(&channel->consumer.visible, memory_order_acquire);
    uint64_t capacity = dal_channel_capacity(channel);
    int looks = 0;
    do {
        before = tail;
        head = atomic_load_explicit(&channel->consumer.peer->visible, memory_order_acquire);
        tail = atomic_load_explicit(&channel->consumer.visible, memory_order_acquire);
    } while (tail != before && ++looks < MOST_LOOKS);
    return tail == before || head - before < capacity ? head - before : capacity;
}
