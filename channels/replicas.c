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

/* Returns the blocks in a ring with halos: all that have tokens in the channel at one time, for one
 * replica may have them all. Returns 0 where the ring is as any other. */
static uint64_t ring_blocks(const struct dal_port *port, const struct dal_end_config *config,
                            uint64_t rate, uint64_t halo)
{
    uint64_t block = config->firings * rate;
    return halo ? (port->channels[0]->desc->capacity + block - 2) / block + 1 : 0;
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

static void deal_end(struct dal_end *end, const struct dal_deal *deal)
{
    struct dal_replicas *all = end->replica->all;
    all->deal = deal;
    all->dealt = all->block / deal->parts;
}

void dal_end_deal(struct dal_end *end, const struct dal_deal *deal)
{
    struct dal_publication *publication = end->output ? end->port->publications : NULL;
    deal_end(end, deal);
    for (; publication; publication = publication->next)
        deal_end(&publication->end, deal);
}

int dal_end_has_halo(const struct dal_end *end)
{
    return end->replica->all->ring_blocks > 0 || end->replica->all->halo > 0;
}

int dal_end_stays(const struct dal_end *reader)
{
    return reader->replica->all->block && reader->channel->kind == DAL_CHANNEL_DEVICE;
}

int dal_end_shares(const struct dal_end *reader, const struct dal_end *other)
{
    return other->replica && other->replica->all->block &&
           reader->replica->all->list[0].buffer == other->replica->all->list[0].buffer;
}

/* ---- at run time ----------------------------------------------------------------------------- */

void dal__replica_enter(struct dal_end *end)
{
    struct dal_replicas *all = end->replica->all;
    uint64_t number = end->taken - end->first, turn;
    if (all->block == 0)
        return;
    end->replica = &all->list[dal_deal_owner(all->deal, number / all->dealt)];
    if (all->ring_blocks == 0)
        return;
    turn = number / all->block % all->ring_blocks;
    end->replica->buffer->memory_at =
        end->position -
        (turn * all->stride + all->lead + number % all->block) * end->channel->desc->token_bytes;
}

static uint64_t first_token(const struct dal_end *end)
{
    return atomic_load_explicit(&end->visible, memory_order_relaxed);
}

uint64_t dal_end_first_block(const struct dal_end *end)
{
    const struct dal_publication *publication = end->output ? end->port->publications : NULL;
    uint64_t first = first_token(end);
    for (; publication; publication = publication->next)
        if (first_token(&publication->end) < publication->end.taken)
            first = dal_least(first, first_token(&publication->end));
    return (first - end->first) / end->replica->all->dealt;
}

uint64_t dal__block_left(const struct dal_end *end)
{
    const struct dal_replicas *all = end->replica->all;
    return all->block ? dal_deal_left(all->deal, end->taken - end->first, all->dealt, all->block)
                      : UINT64_MAX;
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
static void publish_reached(struct dal_replicas *all)
{
    struct dal_end *end = all->end;
    uint64_t visible = atomic_load_explicit(&end->visible, memory_order_relaxed);
    uint64_t reached = visible, left = 0, ready = 0;
    for (; ready == left && reached < end->taken; reached += ready) {
        uint64_t at = reached - end->first;
        struct dal_replica *replica = &all->list[dal_deal_owner(all->deal, at / all->dealt)];
        left = dal_deal_left(all->deal, at, all->dealt, all->block);
        left = dal_least(left, end->taken - reached);
        ready = dal_least(left, released_by(replica) - replica->published);
        replica->published += ready;
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
