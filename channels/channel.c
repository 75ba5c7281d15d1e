#include "channels/fanout.h"

#include "channels/check.h"

#include <string.h>

static const char *const kind_names[] = {
    [DAL_CHANNEL_CORE] = "core",       [DAL_CHANNEL_CORES] = "cores",
    [DAL_CHANNEL_DEVICE] = "device",   [DAL_CHANNEL_CONTEXT] = "context",
    [DAL_CHANNEL_UNIFIED] = "unified", [DAL_CHANNEL_STAGED] = "staged",
    [DAL_CHANNEL_NAIVE] = "naive",
};

const char *dal_channel_kind_name(enum dal_channel_kind kind)
{
    return kind_names[kind];
}

void dal_end_publish(struct dal_end *end, uint64_t tokens)
{
    uint64_t visible = atomic_load_explicit(&end->visible, memory_order_relaxed) + tokens;
    if (!end->listener) {
        atomic_store_explicit(&end->visible, visible, memory_order_release);
        dal__channel_check(end->channel);
        return;
    }
    atomic_store_explicit(&end->visible, visible, memory_order_seq_cst);
    dal__channel_check(end->channel);
    end->listener->notify(end->listener);
}

void dal__host_mirror(struct dal_channel *channel, uint64_t at, uint64_t tokens)
{
    size_t bytes = channel->desc->token_bytes;
    struct dal_move moves[2];
    int i, n = dal_shape_moves(&channel->shape, at, tokens, moves);
    for (i = 0; i < n; i++)
        memcpy(channel->host + moves[i].to * bytes, channel->host + moves[i].from * bytes,
               moves[i].count * bytes);
}

/* An empty channel of one core starts over, so that its tokens stay in the same cache lines. Not
 * while one of its ends holds a window: what an activation has done may be released before its end
 * (rt/host/process.h). */
static void rewind_empty(struct dal_channel *channel)
{
    if (!channel->rewinds)
        return;
    if (channel->fanout)
        dal__fanout_rewind(channel->fanout);
    else if (dal__end_is_level(&channel->consumer, &channel->producer) &&
             dal__end_is_level(&channel->producer, &channel->producer))
        channel->consumer.position = channel->producer.position = 0;
}

void dal_end_release(struct dal_end *end, unsigned char *window, uint64_t firings)
{
    struct dal_channel *channel = end->channel;
    if (firings == 0)
        return;
    if (end->output && channel->shape.tail)
        dal__host_mirror(channel, (uint64_t)(window - channel->host) / channel->desc->token_bytes,
                         firings * end->rate);
    dal_end_publish(end, firings * end->rate);
    rewind_empty(channel);
}

void dal_channel_pass(struct dal_channel *channel, uint64_t tokens)
{
    struct dal_end *producer = &channel->producer, *consumer = &channel->consumer;
    uint64_t count = producer->taken + tokens;
    producer->taken = producer->seen = consumer->taken = consumer->seen = count;
    atomic_store_explicit(&producer->visible, count, memory_order_release);
    atomic_store_explicit(&consumer->visible, count, memory_order_release);
    dal__channel_check(channel);
}

void dal_end_close(struct dal_end *end)
{
    if (atomic_load_explicit(&end->closed, memory_order_relaxed))
        return;
    atomic_store_explicit(&end->closed, 1, memory_order_seq_cst);
    if (end->listener)
        end->listener->notify(end->listener);
    if (end->fanout)
        dal__fanout_close(end->fanout);
}

int dal_end_settled(const struct dal_end *end)
{
    if (end->fanout)
        return dal__fanout_settled(end->fanout);
    return atomic_load_explicit(&end->visible, memory_order_relaxed) == end->taken;
}

struct dal_channel *dal_end_channel(const struct dal_end *end)
{
    return end->fanout ? dal__fanout_slowest(end->fanout) : end->channel;
}

uint64_t dal_end_available(struct dal_end *end)
{
    dal_end_ready(end, UINT64_MAX / 2 / end->rate);
    return end->seen + end->credit - end->taken;
}

int dal_end_finished(struct dal_end *end)
{
    if (end->fanout)
        return dal__fanout_finished(end->fanout);
    if (!atomic_load_explicit(&end->peer->closed, memory_order_acquire))
        return 0;
    return end->output || dal_end_ready(end, 1) == 0;
}

uint64_t dal_channel_fill(const struct dal_channel *channel)
{
    uint64_t tail = atomic_load_explicit(&channel->consumer.visible, memory_order_acquire);
    uint64_t head = atomic_load_explicit(&channel->consumer.peer->visible, memory_order_acquire);
    return head - tail;
}
