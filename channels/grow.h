/*
 * Channels between cores that grow while they are in use, for networks whose needs are only known
 * at run time (Parks 1995).
 *
 * Somebody asks for a larger ring: it is made at once and handed to the producer's end. The
 * producer, when it next finds too little space and has nothing open, copies to it what it knows
 * to be unread, goes on there and hands it to each of its readers. A reader reads what it has seen
 * in the old ring and takes the new one up when it next looks for more. So no end is touched but by
 * its owner. Old rings stay until the port is destroyed: windows may be open in them.
 *
 * Memory order: `renewed` is stored with release and loaded with acquire; the producer stores the
 * readers' before it makes anything visible that is in the new ring alone. The producer's is stored
 * seq_cst, since it may have to be woken (rt/base/wake.h). grow.pml is a model.
 */
#ifndef DAL_CHANNELS_GROW_H
#define DAL_CHANNELS_GROW_H

#include "channels/channel.h"
#include "channels/storage.h"

struct dal_ring {
    struct dal_storage storage;
    uint64_t capacity; /* tokens */
    size_t wrap_bytes, contiguous_bytes;
    uint64_t first_token; /* the one at the ring's beginning, once the producer has moved */
    struct dal_ring *older;
};

/* Whether a channel's ring can be replaced: all ends that use it are on the host. */
int dal_channel_can_grow(const struct dal_channel *channel);

/*
 * Gives a channel that can grow, with all of its port, room for `capacity` tokens, more than it
 * has. Any thread, one at a time; the caller then wakes the producer. Not while a ring handed over
 * before is not taken up (DAL_ERR_LIMIT). Else DAL_OK, DAL_ERR_NOMEM or DAL_ERR_SYSTEM, logged.
 */
int dal_channel_grow(struct dal_channel *channel, uint64_t capacity);

/* Gives all rings back but the first. */
void dal__rings_finish(struct dal_port *port);

#endif
