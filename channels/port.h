/*
 * An output port and its readers: their rings, and what they share.
 *
 * The port has one end, with 1 or more readers. Its space is what the slowest open reader leaves,
 * and what has arrived at those that have closed; the end is unwanted when all have closed. All
 * channels of a port have the same capacity, and all rings the same geometry. So slot n of every
 * ring is for the same tokens, and a slot that is free in one is free in all:
 *
 *     own      the producer's: memory of the host, shared memory, or memory of each replica's
 *              device. A mapped channel has memory of the host, in blocks that the device
 *              borrows (blocks.h).
 *     host     memory of the host to which a device producer's windows are downloaded when it
 *              releases them; only where somebody has to be moved and the host does not see
 *              `own`. Shared virtual memory where a reader of another context can work in it.
 *     device   one on a device for readers that are moved, filled from whichever of the others
 *              the host sees. Readers on one queue that are moved in the same way share it; a
 *              token is uploaded once, with the first window that has it.
 *
 * A channel of the process to itself may be changed in place: the port has as many slots as initial
 * tokens, so a firing writes the slots that it reads there. That reader never stops the producer.
 * The others do, and keep a slot until they have released it.
 *
 * Each reader's windows are in one of these rings (dal__reader_ring in create.h). Storage, ends
 * and publications follow from that.
 *
 * A host producer makes its tokens visible to all readers at once, in its own `visible`. A device
 * producer's tokens become visible at several points: its own queue may go on at once, another
 * queue after a flush, the host after completion or the download. For each point there is a
 * publication, a producer's end without a process. Its readers look at it instead of the port's,
 * and every window is released through each publication that has an open reader. A fence belongs to
 * a queue's publication, and to the readers behind it together: the queue is in order, so its
 * latest flush covers all earlier releases.
 *
 * Thread: the port's end and the publications belong to the owner of the producer. The handler owns
 * device ends and their publications.
 */
#pragma once

#include "channels/blocks.h"
#include "channels/device_ops.h"
#include "rt/base/shape.h"
#include "rt/base/alloc.h"

/* Tells each of several listeners. */
struct dal_listeners {
    struct dal_listener listener; /* first member */
    struct dal_listener **members;
    int count;
};

struct dal_publication {
    struct dal_end end; /* first member; its `peer` is the first of its readers */
    struct dal_listeners listeners;
    struct dal_publication *next;
};

struct dal_port {
    struct dal_end producer;
    struct dal_shape shape;
    int rewinds; /* true if all readers are other processes on the producer's core */
    int count;
    struct dal_channel **channels;     /* one a reader, in the table's order */
    const struct dal_channel *inplace; /* the one that is changed in place, or NULL */
    struct dal_newest *newest;         /* of kind NEWEST (newest.h), or NULL */
    int users;                         /* channels that are not destroyed yet, and the maker */
    _Atomic uint64_t capacity;         /* tokens: what it is now; written by the producer */
    struct dal_storage *own;           /* one a replica of the producer */
    int own_count;
    struct dal_storage host;
    struct dal_blocks blocks;
    struct dal_ring *rings; /* larger ones made since (grow.h), the last first; the producer's */
    struct dal_listeners listeners; /* of a host producer */
    uint64_t told_from; /* they are told of so many tokens and more: fewer make no firing; 0: any */
    struct dal_replica_buffer *buffers; /* of all device ends */

    /* A device producer's. */
    struct dal_publication *publications; /* first the one that downloads to the host */
    dal_event *fences;                    /* room for one for each publication */
    /* The first channel whose reader is in `own`, or NULL. It counts the copies that keep the
     * tail equal. */
    struct dal_channel *mirrored;
};

/* Is the end's window changed in place? Then both ends have the same bytes, and it ends at the same
 * token for both. */
static inline int dal_end_is_inplace(const struct dal_end *end)
{
    const struct dal_channel *inplace = end->port->inplace;
    return inplace && (end->output || end->channel == inplace);
}

/* Returns the number of the end whose bytes those of ends[index] are: of a window that is changed
 * in place the output, which is among them; otherwise itself. */
static inline int dal_end_home(struct dal_end *const *ends, int index)
{
    int home = index;
    if (dal_end_is_inplace(ends[index]))
        for (home = 0; !ends[home]->output || ends[home]->port != ends[index]->port;)
            home++;
    return home;
}

static inline size_t dal__ring_bytes(const struct dal_port *port)
{
    return (port->shape.slots + port->shape.tail) * port->channels[0]->desc->token_bytes;
}

/* Returns zeroed memory for a part of a port, on cache lines that no other thread uses; or NULL,
 * logged. */
static inline void *dal__port_alloc(const struct dal_port *port, size_t count, size_t bytes)
{
    void *memory = dal_calloc_apart(count, bytes);
    if (!memory)
        dal_log(DAL_LOG_ERROR, "channel %s: no memory", port->channels[0]->desc->name);
    return memory;
}
