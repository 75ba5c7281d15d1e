/*
 * The device ends of channels: windows for kernels.
 *
 * A process launcher acquires a window at each of its ends, enqueues its kernel with the arguments
 * it got, and releases. All on the thread that handles the end's queue.
 */
#ifndef DAL_CHANNELS_DEVICE_END_H
#define DAL_CHANNELS_DEVICE_END_H

#include "channels/channel.h"
#include "channels/queue.h"
#include "channels/storage.h"

/* What a kernel gets for a port. */
struct dal_argument {
    cl_mem memory;
    size_t offset;      /* bytes */
    cl_event fences[2]; /* to be waited for by the launch, or NULL; stay the end's */
};

struct dal_device_end {
    struct dal_storage ring;   /* staged, naive: this end's own device memory */
    struct dal_storage bounce; /* naive: pageable memory in between */
    cl_mem memory;             /* what kernels get */
    cl_event fence;            /* of the peer's last flush, until it has completed */
    cl_event uploaded;         /* of the last upload on a queue of its own, until a launch waits */
    struct dal_channel *counted; /* whose reports have this end's transfers */
    uint64_t filled;             /* tokens uploaded so far, where several ends share the ring */
    uint64_t ahead;              /* firings uploaded that no launch has had yet */
    uint64_t batch, held;        /* tokens that this batch of the queue holds back from the peer */
};

/* One way of being a device end; one wrapper in front checks arguments. */
struct dal_end_ops {
    /* Enqueues what makes a window of `firings` firings usable by the next command. */
    int (*acquire)(struct dal_end *end, uint64_t firings);
    /* Enqueues what brings a window just written or read to the peer, and defers the publishing. */
    int (*release)(struct dal_end *end, uint64_t firings);
};

extern const struct dal_end_ops dal__direct_ops;
extern const struct dal_end_ops dal__upload_ops;
extern const struct dal_end_ops dal__download_ops;

/* Parts of them, for fan-out (channels/fanout.h). */
extern const struct dal_end_ops dal__tell_ops;   /* direct, but a ring's tail is not kept */
extern const struct dal_end_ops dal__later_ops;  /* the host sees the ring: at completion */
extern const struct dal_end_ops dal__refill_ops; /* uploads to a ring that several ends share */

/* Keeps ring and tail equal after a window was written in place; enqueued. */
int dal__device_mirror(struct dal_end *end, uint64_t firings);

/* Accepts NULL. */
void dal__device_end_destroy(struct dal_device_end *device);

/* Window of `firings` firings, for which dal_end_ready() said yes. */
int dal_device_end_acquire(struct dal_end *end, uint64_t firings, struct dal_argument *argument);

/* To be called once the launch that uses the window is enqueued. */
int dal_device_end_release(struct dal_end *end, uint64_t firings);

#endif
