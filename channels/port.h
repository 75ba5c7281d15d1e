/*
 * An output port and its readers: their rings, and the port's end at work.
 *
 * The port has one end, with 1 or more readers. Its space is what the slowest open reader leaves,
 * and what has arrived at those that have closed; the end is unwanted when all have closed. All
 * channels of a port have the same capacity, and all rings the same geometry. So slot n of every
 * ring is for the same tokens, and a slot that is free in one is free in all:
 *
 *     own      the producer's: the host's, shared memory, or the device's, each lane's. That of a
 *              mapped channel is the host's, and in blocks that the device borrows (blocks.h).
 *     host     memory of the host to which a device producer's windows are downloaded when it
 *              releases them; only where somebody has to be moved and the host does not see
 *              `own`. Shared virtual memory where a reader of another context can work in it so.
 *     device   one on a device for readers that are moved, filled from whichever of the others
 *              the host sees. Readers on one queue that are moved in the same way share it; a
 *              token is uploaded once, with the first window that has it.
 *
 * A channel of the process to itself may be changed in place: the port has as many slots as initial
 * tokens, so a firing writes the slots that it reads there. That reader never stops the producer.
 * The others do, and keep a slot until they have released it.
 *
 * Each reader's windows are in one of these rings (dal__place_of in create_rings.c). Storage, ends
 * and moments follow from that.
 *
 * A host producer makes its tokens visible to all readers at once, in its own `visible`. A device
 * producer's tokens become visible at several moments: its own queue may go on at once, another
 * queue after a flush, the host after completion or the download. A moment is a producer's end
 * without a process; its readers look at it instead of the port's, and every window is released
 * through each of them that has an open reader. A fence belongs to a queue's moment, and to the
 * readers behind it together: the queue is in order, so its latest flush covers all earlier
 * releases.
 *
 * Thread: the port's end and the moments belong to who owns the producer; device ends and moments
 * are the handler's.
 */
#ifndef DAL_CHANNELS_PORT_H
#define DAL_CHANNELS_PORT_H

#include "channels/blocks.h"
#include "channels/device_end.h"
#include "channels/shape.h"

/* Tells each of several listeners. */
struct dal_listeners {
    struct dal_listener listener; /* first member */
    struct dal_listener **members;
    int count;
};

struct dal_moment {
    struct dal_end end; /* its `peer` is the first of its readers */
    struct dal_listeners listeners;
    struct dal_moment *next;
};

/* The device end that readers share when they are on one queue and their windows in one ring. Dealt
 * readers share it if they are dealt alike. */
struct dal_place {
    struct dal_device_end device;
    const struct dal_queue *queue;
    int lane, lane_count; /* of the readers; 0 and 1 where they are not dealt */
    uint64_t block, first;
    const struct dal_storage *ring; /* own or host, NULL: the device end's own */
    enum dal_channel_kind kind;     /* how a device end's own ring is filled: STAGED or NAIVE */
    int differ;                     /* they do not all begin at the same token */
    struct dal_place *next;
};

struct dal_port {
    struct dal_end producer;
    struct dal_shape shape;
    int rewinds; /* true if all readers are other processes on the producer's core */
    int count;
    struct dal_channel **channels;     /* one a reader, in the table's order */
    const struct dal_channel *inplace; /* the one that is changed in place, or NULL */
    int users;                         /* channels that are not destroyed yet, and the maker */
    _Atomic uint64_t capacity;         /* tokens: what it is now; written by the producer */
    struct dal_storage *own;           /* one a lane of the producer */
    int own_count;
    struct dal_storage host;
    struct dal_blocks blocks;
    struct dal_ring *rings; /* larger ones made since (grow.h), the last first; the producer's */
    struct dal_listeners listeners; /* of a host producer */
    struct dal_place *places;

    /* A device producer's. */
    struct dal_moment *moments; /* the one with downloads to the host's ring, if any, comes first */
    dal_event *fences;          /* room for one a moment */
    int mirrors;                /* true if a reader is in `own`, whose tail is kept equal */
};

static inline size_t dal__ring_bytes(const struct dal_port *port)
{
    return (port->shape.slots + port->shape.tail) * port->channels[0]->desc->token_bytes;
}

/* Does the producer wait for this reader? It must be open, and must not change tokens in place. */
int dal__port_heeds(const struct dal_port *port, const struct dal_channel *reader);

/* The port's parts of functions in channel.h. */
struct dal_channel *dal__port_slowest(const struct dal_port *port);
int dal__port_finished(const struct dal_port *port);
/* Returns the largest count of tokens that a reader has released. */
uint64_t dal__port_furthest(const struct dal_port *port);
int dal__port_is_loop(const struct dal_port *port);
int dal__port_settled(const struct dal_port *port);
void dal__port_close(struct dal_port *port);
/* Makes an empty ring of one core start over, so that its tokens stay in the same cache lines. Does
 * nothing while an end holds a window: an activation may release firings before it ends
 * (rt/host/process.h). */
void dal__port_rewind(struct dal_port *port);

/* The port's end on a device. */
extern const struct dal_end_ops dal__port_ops;

/* Returns the event that a launch with a window of the port must wait for, or NULL. */
dal_event dal__port_fence(const struct dal_port *port);

#endif
