/*
 * An in-order command queue that is used in batches.
 *
 * Commands are enqueued one by one. dal_queue_flush() closes the batch: one marker with an event,
 * one flush. Updates are deferred to a batch: things to do when it is flushed, or has completed.
 * Since the queue is in order, the marker's completion is that of all commands before it. Batches
 * and the launches in them are bounded by `depth`.
 *
 * On a device with its own memory, transfers overlap with kernels on queues of their own: a launch
 * waits for its upload's event, a download for the marker of the batch that made its tokens.
 *
 * Thread: one thread, which handles the queue, calls everything. Only the driver's callback runs
 * elsewhere, and it only signals `wake`.
 */
#pragma once

#include "rt/backend/backend.h"
#include "rt/base/wake.h"

enum dal_when { DAL_AT_FLUSH, DAL_AT_COMPLETION };

/* Something to do later: apply(update, event) with the batch's marker. It returns DAL_OK, or a
 * negative code that ends the network. */
struct dal_update {
    int (*apply)(const struct dal_update *update, dal_event event);
    void *object;
    uint64_t amount;
    size_t at;
    const char *name;  /* of the channel, for the log */
    int64_t queued_ns; /* when its command was enqueued, for the log */
    size_t memory_at;  /* of a window on a device, as in struct dal_replica_buffer */
    /* The event of its command, where its time is wanted; else NULL. The queue releases it once it
     * is deferred. */
    dal_event timer;
};

struct dal_batch {
    dal_event done;
    struct dal_update *updates[2]; /* by enum dal_when */
    size_t count[2], room[2];
    int armed; /* a callback is registered */
    int launches;
    int64_t closed_ns; /* when it was closed, on the coarse clock */
};

/* Directions: from the host, to it, and within the device. */
enum dal_direction { DAL_UPLOAD, DAL_DOWNLOAD, DAL_COPY };

/* Bytes of a channel's tokens that were moved by one command. */
struct dal_moved {
    enum dal_direction direction;
    const char *channel;
    size_t bytes;
    int64_t queued_ns; /* dal_now_ns(), when its command was enqueued */
};

/* Somebody who is told of each completed transfer, in the order of its queue. It is a part of
 * something larger. */
struct dal_transfer_log {
    void (*add)(struct dal_transfer_log *log, const struct dal_moved *moved,
                const struct dal_event_times *times);
};

struct dal_queue_config {
    int depth;     /* most launches in flight, 1 or more */
    int profiling; /* launches can be timed */
    int transfers; /* uploads and downloads have queues of their own, beside the kernels */
    struct dal_transfer_log *log; /* NULL: transfers are not timed */
};

struct dal_queue {
    struct dal_device *device;
    const struct dal_backend *backend; /* of the device */
    dal_commands commands;       /* kernels, and transfers when they have no queues of their own */
    dal_commands uploads;        /* or NULL */
    struct dal_queue *downloads; /* or NULL */
    struct dal_wake *wake;
    struct dal_transfer_log *log; /* or NULL */
    int64_t asked_ns;             /* when dal_queue_log_event() was last called */
    int depth;                    /* most launches in flight, and size of `batches` */
    int launches;                 /* enqueued and not known to have completed */
    struct dal_batch *batches;    /* a ring of depth + 1; the open one is behind the closed ones */
    int first, closed;
    int dirty;       /* true if the open batch has commands */
    int open_count;  /* launches in it */
    int due;         /* true if the next launch is to close it */
    uint64_t number; /* of batches closed so far */
    /* Average time of a launch in the batch that is being retired. It comes from a coarse clock
     * that is read now and then: good for choosing sizes of launches, not for reports. */
    int64_t launch_ns;
    int64_t retired_ns; /* when the batch before was retired */
};

/* Makes a queue on a device. `wake` must outlive every callback, so it is static or lives as long
 * as the program. Returns DAL_OK; or DAL_ERR_NOMEM or DAL_ERR_DEVICE, with the queue zeroed. */
int dal_queue_init(struct dal_queue *queue, struct dal_device *device,
                   const struct dal_queue_config *config, struct dal_wake *wake);
/* Accepts a zeroed queue. Does not wait for commands. */
void dal_queue_finish(struct dal_queue *queue);

/* Is there room for one more launch? */
int dal_queue_has_room(const struct dal_queue *queue);

/* Adds an update to the open batch. DAL_OK or DAL_ERR_NOMEM. */
int dal_queue_defer(struct dal_queue *queue, enum dal_when when, struct dal_update update);

/* Adds an update as dal_queue_defer() does, or joins it to the last one of its kind and object in
 * the batch. It joins if that one's amount, in steps of `step`, ends at `update.at`, in the same
 * memory. The joined update is applied where the first one stands. */
int dal_queue_defer_joined(struct dal_queue *queue, enum dal_when when, struct dal_update update,
                           size_t step);

/* Returns where the next transfer's command is to put its event, for dal_queue_log(); NULL without
 * a log. */
dal_event *dal_queue_log_event(struct dal_queue *queue, dal_event *event);

/* Tells the log of a transfer once the open batch has completed. Takes over the command's `event`;
 * does nothing for NULL. DAL_OK or DAL_ERR_NOMEM. */
int dal_queue_log(struct dal_queue *queue, enum dal_direction direction, const char *channel,
                  size_t bytes, dal_event event);

/* Counts a launch; called after each. Closes the open batch when it is due, or has a fair share of
 * the depth, so that the device starts before all is enqueued. DAL_OK or DAL_ERR_DEVICE. */
int dal_queue_launched(struct dal_queue *queue);

/* Closes the open batch, if it is dirty, and applies its flush updates. Flushes the uploads before,
 * since it may wait for them, and the downloads after, since they wait for it. */
int dal_queue_flush(struct dal_queue *queue);

/* Retires completed batches, oldest first, and applies their completion updates. Returns their
 * number, or DAL_ERR_DEVICE when a command of one failed (logged). */
int dal_queue_poll(struct dal_queue *queue);

/* Are there batches, or downloads of them, that have not completed? */
int dal_queue_busy(const struct dal_queue *queue);

/* Returns 1 when there is a batch that has not completed. The oldest one signals `wake` when it
 * completes, if the device calls back; otherwise the caller must poll. */
int dal_queue_arm(struct dal_queue *queue);
