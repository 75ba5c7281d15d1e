/*
 * The device ends of channels: windows for kernels.
 *
 * A process launcher acquires a window at each of its ends, enqueues its kernel with the arguments
 * it got, and releases. All calls are made by the thread that handles the end's queue.
 */
#ifndef DAL_CHANNELS_DEVICE_END_H
#define DAL_CHANNELS_DEVICE_END_H

#include "channels/channel.h"
#include "channels/queue.h"
#include "channels/storage.h"

/* The argument that a kernel gets for a port. */
struct dal_argument {
    dal_memory memory;
    size_t offset; /* bytes */
};

struct dal_device_end {
    struct dal_storage ring;   /* staged, naive: device memory of its own */
    struct dal_storage bounce; /* naive: pageable memory in between */
    dal_memory memory;         /* what kernels get */
    size_t memory_at; /* bytes from the host ring's base to where `memory` would begin; may wrap */
    dal_event fence;  /* of the peer's last flush, until it has completed */
    dal_event uploaded; /* of the last upload on a queue of its own, until a launch waits */
    struct dal_channel *counted; /* its reports count this end's transfers */
    uint64_t filled;             /* number of the first token that has not been uploaded */
    int readers;                 /* ends that share all this */
    uint64_t batch, held;        /* tokens that this batch of the queue holds back from the peer */
};

/* An end's state on one of its process's devices. */
struct dal_lane {
    struct dal_end *end;
    struct dal_queue *queue;
    struct dal_device_end *device; /* `mine`, or what several readers share */
    struct dal_device_end mine;
    uint64_t released; /* tokens of its blocks whose commands have completed */
    uint64_t arrived;  /* a moment's: tokens of its margin that are in the host's ring */
};

/* One way of being a device end; one wrapper in front checks arguments. */
struct dal_end_ops {
    /* Enqueues commands that make a window of `firings` firings usable by the next command. */
    int (*acquire)(struct dal_end *end, uint64_t firings);
    /* Enqueues commands that bring a window just written or read to the peer, and defers the
     * publishing. */
    int (*release)(struct dal_end *end, uint64_t firings);
};

extern const struct dal_end_ops dal__in_place_ops; /* of a reader or a moment; keeps no tail */
extern const struct dal_end_ops dal__upload_ops;   /* of readers with a ring of their own */
extern const struct dal_end_ops dal__download_ops; /* of a moment */
/* The operations of readers in the producer's rings whose blocks have a margin, and of their
 * moment. */
extern const struct dal_end_ops dal__margin_reader_ops, dal__margin_moment_ops;

/* Counts tokens of a lane's windows that the peer may use now. Publishes them up to the first block
 * of another lane that is missing. */
void dal__lane_release(struct dal_lane *lane, uint64_t tokens);

/* Publishes the tokens of some firings once the queue's batch has completed. */
int dal__publish_later(struct dal_end *end, uint64_t firings);

/* The subject of messages about the end's commands. */
static inline struct dal_subject dal__end_subject(const struct dal_end *end)
{
    return (struct dal_subject){end->channel->desc->name, DAL_LOG_ERROR};
}

/* Makes this lane the one of the end's next window. */
void dal__end_enter(struct dal_end *end, struct dal_lane *lane);

/* Enqueues the copies that keep ring and tail equal after a window was written in place. */
int dal__device_mirror(struct dal_end *end, uint64_t firings);

/* Acquires a window of `firings` firings, at most as many as dal_end_ready() said. All are of one
 * block, so the window is on the queue of that block's lane. */
int dal_device_end_acquire(struct dal_end *end, uint64_t firings, struct dal_argument *argument);

/* Sets the events that the launch must wait for, or NULL; they stay the end's. Called once all
 * windows of the launch are acquired: ends may share an event, and the last one's is that of
 * all. */
void dal_device_end_fences(const struct dal_end *end, dal_event fences[2]);

/* Called once the launch that uses the window is enqueued. */
int dal_device_end_release(struct dal_end *end, uint64_t firings);

#endif
