/*
 * Channels between cores that grow while they are in use, for networks whose needs are only known
 * at run time (Parks 1995).
 *
 * Somebody asks for a larger ring: it is made at once and handed to the producer's end. The
 * producer takes it up when it next finds too little space and has no window open. It copies the
 * unread tokens to the new ring, goes on there and hands the ring to its readers. A reader reads
 * the tokens that it has seen in the old ring, and takes up the new one when it next looks for
 * more. So only its owner touches an end. Old rings stay until the port is destroyed: windows may
 * be open in them.
 *
 * Memory order: `renewed` is stored with release and loaded with acquire; the producer stores the
 * readers' before it makes any token visible that only the new ring has. The producer's is stored
 * seq_cst, since it may have to be woken (rt/base/wake.h). grow.pml is a model.
 */
#pragma once

#include "channels/channel.h"
#include "channels/storage.h"

struct dal_ring {
    struct dal_storage storage;
    uint64_t capacity; /* tokens */
    struct dal_ring_view view;
    uint64_t first_token; /* the one at the ring's beginning, once the producer has moved */
    struct dal_ring *older;
};

/* Can a channel's ring be replaced? All ends that use it must be on the host. */
int dal_channel_can_grow(const struct dal_channel *channel);

/*
 * Gives a channel that can grow, and its whole port, room for `capacity` tokens, which is more than
 * it has. Any thread, one at a time; the caller then wakes the producer. Returns DAL_OK;
 * DAL_ERR_LIMIT while the producer has not taken up an earlier ring; or DAL_ERR_NOMEM or
 * DAL_ERR_SYSTEM, logged.
 */
int dal_channel_grow(struct dal_channel *channel, uint64_t capacity);

/* Frees all rings but the first. */
void dal__rings_finish(struct dal_port *port);
