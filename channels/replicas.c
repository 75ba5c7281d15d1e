#include "channels/port.h"
#include "rt/base/number.h"

/* ---- while a port is made -------------------------------------------------------------------- */

/* Returns the firings of a block. */
static uint64_t block_firings(const struct dal_end_config *config)
{
    return config->firings * (config->round ? config->round : 1);
}

/* Are both ends on the same devices, with as many tokens in a block? */
static int has_same_blocks(const struct dal_channel_desc *desc,
                           const struct dal_end_config *producer,
                           const struct dal_end_config *consumer)
{
    if (!dal__is_distributed(producer) || producer->queue_count != consumer->queue_count ||
        block_firings(producer) * desc->rate_in != block_firings(consumer) * desc->rate_out)
        return 0;
    for (int i = 0; i < producer->queue_count; i++)
        if (producer->queues[i] != consumer->queues[i])
            return 0;
    return 1;
}

int dal__is_distributed_alike(const struct dal_channel_desc *desc,
                              const struct dal_end_config *producer,
                              const struct dal_end_config *consumer)
{
    return desc->initial_tokens == 0 && has_same_blocks(desc, producer, consumer);
}

uint64_t dal__find_halo(const struct dal_channel_desc *desc, const struct dal_end_config *producer,
                        const struct dal_end_config *consumer)
{
    return desc->initial_tokens <= block_firings(producer) * desc->rate_in &&
                   has_same_blocks(desc, producer, consumer)
               ? desc->initial_tokens
               : 0;
}

/* Returns the blocks in the ring of one replica: its part of those that have tokens in the channel
 * at one time. Returns 0 where the ring is as any other. */
static uint64_t ring_blocks(const struct dal_port *port, const struct dal_end_config *config,
                            uint64_t rate, uint64_t halo)
{
    uint64_t block = config->firings * rate, count = (uint64_t)dal__replica_count(config);
    uint64_t own, tokens;
    if (count == 1)
        return 0;
    own = (port->channels[0]->desc->capacity + block - 2) / block + 1;
    own = (own + count - 1) / count;
    if (__builtin_mul_overflow(own, block, &tokens) || tokens >= port->shape.slots)
        return halo ? own : 0;
    return own;
}

size_t dal__replica_ring_bytes(const struct dal_port *port, const struct dal_end_config *config,
                               uint64_t rate, uint64_t halo)
{
    size_t token = port->channels[0]->desc->token_bytes, bytes;
    uint64_t blocks = ring_blocks(port, config, rate, halo);
    if (blocks == 0)
        return dal__ring_bytes(port);
    if (__builtin_mul_overflow(config->firings * rate + halo, token, &bytes) ||
        __builtin_mul_overflow(bytes, blocks, &bytes))
        return SIZE_MAX;
    return bytes;
}

int dal__replicas_init(struct dal_end *end, const struct dal_end_config *config, uint64_t halo,
                       uint64_t ring_halo)
{
    int i, count = dal__replica_count(config);
    uint64_t block = count > 1 ? config->firings * end->rate : 0;
    struct dal_replicas *all =
        dal__port_alloc(end->port, 1, sizeof(*all) + (size_t)count * sizeof(struct dal_replica));
    if (!all)
        return DAL_ERR_NOMEM;
    *all =
        (struct dal_replicas){.end = end,
                              .count = count,
                              .block = block,
                              .halo = halo,
                              .ring_blocks = ring_blocks(end->port, config, end->rate, ring_halo),
                              .stride = block + ring_halo,
                              .lead = ring_halo - halo};
    for (i = 0; i < count; i++)
        all->list[i] = (struct dal_replica){.all = all, .queue = dal__replica_queue(config, i)};
    end->replica = all->list;
    return DAL_OK;
}

/* ---- at run time ----------------------------------------------------------------------------- */

void dal__replica_enter(struct dal_end *end)
{
    struct dal_replicas *all = end->replica->all;
    uint64_t number = end->taken - end->first, count = (uint64_t)all->count, turn;
    if (all->block == 0)
        return;
    end->replica = &all->list[number / all->block % count];
    if (all->ring_blocks == 0)
        return;
    turn = number / all->block / count % all->ring_blocks;
    end->replica->buffer->memory_at =
        end->position -
        (turn * all->stride + all->lead + number % all->block) * end->channel->desc->token_bytes;
}

uint64_t dal__block_left(const struct dal_end *end)
{
    uint64_t block = end->replica->all->block;
    return block ? block - (end->taken - end->first) % block : UINT64_MAX;
}

uint64_t dal__halo_until(const struct dal_end *end, uint64_t tokens)
{
    const struct dal_replicas *all = end->replica->all;
    uint64_t begin;
    if (!all->halo)
        return end->taken + tokens;
    begin = end->taken - (end->taken - end->first) % all->block;
    return dal_least(begin + all->halo, end->taken + tokens);
}

uint64_t dal__halo_part(const struct dal_end *end, uint64_t tokens)
{
    const struct dal_replicas *all = end->replica->all;
    uint64_t begin = (end->taken - tokens - end->first) % all->block;
    uint64_t halo = all->block - all->halo, from = begin > halo ? begin : halo;
    return begin + tokens > from ? begin + tokens - from : 0;
}

/* Tokens that a replica has released, up to the first of a halo that has not arrived. */
static uint64_t released_by(const struct dal_replica *replica)
{
    const struct dal_replicas *all = replica->all;
    if (!all->halo || !all->end->output)
        return replica->released;
    return dal_least(replica->released, (replica->arrived / all->halo + 1) * all->block -
                                            all->halo + replica->arrived % all->halo);
}

/* Publishes tokens up to the first that a replica has yet to release. */
static void publish_reached(const struct dal_replicas *all)
{
    struct dal_end *end = all->end;
    uint64_t visible = atomic_load_explicit(&end->visible, memory_order_relaxed);
    uint64_t reached = end->taken, count = (uint64_t)all->count, i;
    for (i = 0; i < count; i++) {
        uint64_t released = released_by(&all->list[i]);
        uint64_t block = released / all->block * count + i;
        reached = dal_least(reached, end->first + block * all->block + released % all->block);
    }
    if (reached > visible)
        dal_end_publish(end, reached - visible);
}

void dal__replica_release(struct dal_replica *replica, uint64_t tokens)
{
    replica->released += tokens;
    if (replica->all->block)
        publish_reached(replica->all);
    else
        dal_end_publish(replica->all->end, tokens);
}

void dal__halo_arrived(struct dal_replica *replica, uint64_t tokens)
{
    replica->arrived += tokens;
    publish_reached(replica->all);
}
