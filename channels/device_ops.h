/*
 * The kinds of device ends: in place, with uploads or downloads, and with halos. The ends of a
 * mapped ring are in channels/blocks.h.
 *
 * Thread: the handler's.
 */
#pragma once

#include "channels/queue.h"
#include "channels/replicas.h"
#include "channels/storage.h"

/* Shared by the ends on one queue whose windows are in the same ring. The port owns it. */
struct dal_replica_buffer {
    struct dal_queue *queue;
    struct dal_storage ring;   /* staged, naive: device memory of its own */
    struct dal_storage bounce; /* naive: pageable memory in between */
    dal_memory memory;         /* what kernels get */
    size_t memory_at; /* bytes from the host ring's base to where `memory` would begin; may wrap */
    dal_event fence;  /* of the peer's last flush, until it has completed */
    dal_event uploaded; /* of the last upload on a queue of its own, until a launch waits */
    struct dal_channel *counted; /* the channel whose reports count these transfers */
    uint64_t filled;             /* number of the first token that has not been uploaded */
    int readers;                 /* ends that share this buffer */
    int differ;                  /* true if these begin at different tokens */
    uint64_t batch, held;        /* tokens that this batch of the queue holds back from the peer */
    struct dal_replica_buffer *next;
};

/* The operations of one kind of device end. A wrapper in front checks their arguments. */
struct dal_end_ops {
    /* Enqueues commands that make a window of `firings` firings usable by the next command. NULL:
     * there is nothing to do. */
    int (*acquire)(struct dal_end *end, uint64_t firings);
    /* Enqueues commands that bring a window just written or read to the peer, and defers the
     * publishing. */
    int (*release)(struct dal_end *end, uint64_t firings);
};

extern const struct dal_end_ops dal__in_place_ops; /* of a reader or a publication; no tail */
extern const struct dal_end_ops dal__upload_ops;   /* of readers to whom tokens are moved */
extern const struct dal_end_ops dal__newest_ops;   /* of such a reader of the newest token */
extern const struct dal_end_ops dal__download_ops; /* of a publication */
extern const struct dal_end_ops dal__halo_ops;     /* of a publication whose blocks have a halo */

/* Uploads bytes from the host's ring, where they begin at `at`. Sets *done to the event, unless it
 * is NULL; the caller releases that. */
int dal__upload(const struct dal_end *end, dal_commands commands, size_t at, size_t bytes,
                dal_event *done);

/* Downloads the window that is released at a publication's end, on the queue of its launches, and
 * publishes it once it has arrived. */
int dal__download(struct dal_end *end, uint64_t firings);

/* Publishes the tokens of some firings once the queue's batch has completed. */
int dal__publish_later(struct dal_end *end, uint64_t firings);

/* The subject of messages about the end's commands. */
static inline struct dal_subject dal__end_subject(const struct dal_end *end)
{
    return (struct dal_subject){end->channel->desc->name, DAL_LOG_ERROR};
}

/* Enqueues the copies that keep ring and tail equal after a window was written in place. */
int dal__device_mirror(struct dal_end *end, uint64_t firings);
