/*
 * Replicas: a process that is bound to several devices has one on each.
 *
 * Its firings go to them in blocks, each to one replica, as its deal says (channels/deal.h). A
 * block that completes early is kept back until all earlier ones have completed, so the end
 * publishes in token order. A slot means the same token in the rings of all replicas, whoever has
 * its block.
 *
 * Where both ends of a channel are distributed alike, they have one deal, and each replica has a
 * ring of the channel's own: tokens never leave their device. A reader with initial tokens is that
 * many behind. So the block before has the first tokens of the reader's block, the halo, as its
 * last ones. These alone go through the host's ring, to a place in front of the reader's block.
 * Blocks are of S firings then, and those in a replica's ring lie each behind its halo.
 *
 * Every device end has replicas; one without `block` has one, and nothing here is its concern. This
 * file knows which tokens belong to which replica; channels/device_ops.c moves them.
 */
#pragma once

#include "channels/channel.h"
#include "channels/deal.h"

/* An end on one of its process's devices. */
struct dal_replica {
    struct dal_replicas *all;
    struct dal_queue *queue;
    struct dal_replica_buffer *buffer; /* channels/device_ops.h */
    uint64_t released;                 /* tokens of its blocks whose commands have completed */
    uint64_t published;                /* of these: tokens that the peer may use */
    uint64_t arrived; /* of a publication: tokens of its halos that are in the host's ring */
};

struct dal_replicas {
    struct dal_end *end;
    int count;
    uint64_t block; /* tokens of S firings; 0: there is one replica */
    const struct dal_deal *deal;
    uint64_t dealt; /* tokens of a block that is dealt: those of S firings, or a part of them */
    uint64_t halo;  /* of a reader, and of a publication: tokens of a block that go by the host */
    /* Blocks in a ring with halos, else 0. Tokens from one block to the next, and those in front of
     * this end's own. */
    uint64_t ring_blocks, stride, lead;
    struct dal_replica list[];
};

/* ---- while a port is made -------------------------------------------------------------------- */

static inline int dal__is_distributed(const struct dal_end_config *config)
{
    return config->queue_count > 1;
}

static inline int dal__replica_count(const struct dal_end_config *config)
{
    return dal__is_distributed(config) ? config->queue_count : 1;
}

static inline struct dal_queue *dal__replica_queue(const struct dal_end_config *config, int i)
{
    return dal__is_distributed(config) ? config->queues[i] : config->queue;
}

/* Are both ends distributed alike, so that each block of tokens is written and read on one queue?
 */
int dal__is_distributed_alike(const struct dal_channel_desc *desc,
                              const struct dal_end_config *producer,
                              const struct dal_end_config *consumer);

/* Returns the halo: the reader's initial tokens, where both ends are distributed alike but for
 * these, and these lie in one block. Otherwise returns 0. */
uint64_t dal__find_halo(const struct dal_channel_desc *desc, const struct dal_end_config *producer,
                        const struct dal_end_config *consumer);

/* Returns the bytes of a ring of one replica of an end with windows of `rate` tokens, with a halo
 * in front of each block. The port's shape is known. Saturates. */
size_t dal__replica_ring_bytes(const struct dal_port *port, const struct dal_end_config *config,
                               uint64_t rate, uint64_t halo);

/* Gives a device end its replicas, and makes the first one that of its next window. `halo` is the
 * end's own, `ring_halo` that of the ring where its windows are. DAL_OK or DAL_ERR_NOMEM, logged;
 * the caller frees all with the end's `replica->all`. */
int dal__replicas_init(struct dal_end *end, const struct dal_end_config *config, uint64_t halo,
                       uint64_t ring_halo);

/* Makes the replicas of a process's end go by this deal, those of a port's publications, too. It
 * has all that the others have of `dal_end_stays` and `dal_end_shares`. Before anything runs. */
void dal_end_deal(struct dal_end *end, const struct dal_deal *deal);

/* Has the end replicas whose blocks are in front of a halo, or behind one? */
int dal_end_has_halo(const struct dal_end *end);

/* Does each token stay on the device where it is made, up to this reader? Then producer and reader
 * have one deal. */
int dal_end_stays(const struct dal_end *reader);

/* Do two readers have what is uploaded for either? Then they have one deal. */
int dal_end_shares(const struct dal_end *reader, const struct dal_end *other);

/* ---- at run time: the handler's thread ------------------------------------------------------- */

/* Makes the replica of the end's next window its `replica`, and says where its memory begins. */
void dal__replica_enter(struct dal_end *end);

/* Returns the first block of which the end has tokens to publish, or has not taken all. */
uint64_t dal_end_first_block(const struct dal_end *end);

/* Returns the tokens of the next window's replica from there on, at most those of S firings. */
uint64_t dal__block_left(const struct dal_end *end);

/* Returns the token before which a window of `tokens` tokens is uploaded: its end, or that of the
 * halo. */
uint64_t dal__halo_until(const struct dal_end *end, uint64_t tokens);

/* Returns how many of the last `tokens` tokens that a publication had windows for are of a halo. */
uint64_t dal__halo_part(const struct dal_end *end, uint64_t tokens);

/* Counts tokens of a replica's windows that the peer may use now. Publishes them up to the first
 * block of another replica that is missing. */
void dal__replica_release(struct dal_replica *replica, uint64_t tokens);

/* Counts tokens of a halo that have arrived in the host's ring, and publishes as above. */
void dal__halo_arrived(struct dal_replica *replica, uint64_t tokens);
