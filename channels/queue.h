/*
 * An in-order command queue that is used in batches.
 *
 * Commands are enqueued one by one; dal_queue_flush() closes the batch: one marker with an event,
 * one flush. What has to happen when the batch is flushed, or when it has completed, is deferred to
 * it as updates. Since the queue is in order, the marker's completion is that of all commands
 * before it. Batches and the launches in them are bounded by `depth`.
 *
 * On a device with its own memory, transfers overlap with kernels on queues of their own: a launch
 * waits for its upload's event, a download for the marker of the batch that made its tokens.
 *
 * Thread: everything is called by the one thread that handles the queue, but for the
 * driver's callback, which only signals `wake`.
 */
#ifndef DAL_CHANNELS_QUEUE_H
#define DAL_CHANNELS_QUEUE_H

#include "rt/backend/backend.h"
#include "rt/base/wake.h"

enum dal_when { DAL_AT_FLUSH, DAL_AT_COMPLETION };

/* Something to do later: apply(update, event), `event` being the batch's marker. Returns DAL_OK, or
 * a negative code that ends the network. */
struct dal_update {
    int (*apply)(const struct dal_update *update, dal_event event);
    void *object;
    uint64_t amount;
    size_t at;
    const char *name;  /* of the channel, for the log, */
    int64_t queued_ns; /* and when its command was enqueued */
    size_t memory_at;  /* of a window on a device, as in struct dal_device_end */
    /* Of the command that it is about, where its time is wanted; else NULL. Given back by the queue
     * once it is deferred. */
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

/* From the host, to it, and within the device. */
enum dal_direction { DAL_UPLOAD, DAL_DOWNLOAD, DAL_COPY };

/* Bytes of a channel's tokens that were moved by one command. */
struct dal_moved {
    enum dal_direction direction;
    const char *channel;
    size_t bytes;
    int64_t queued_ns; /* dal_now_ns(), when its command was enqueued */
};

/* Who is told of each transfer that has completed, those of each queue in order. The part of
 * something larger. */
struct dal_transfer_log {
    void (*add)(struct dal_transfer_log *log, const struct dal_moved *moved,
                const struct dal_event_times *times);
};

/* How a queue is made. */
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
    int64_t asked_ns;             /* when the last event for it was asked for */
    int depth;                    /* most launches in flight, and size of `batches` */
    int launches;                 /* enqueued and not known to have completed */
    struct dal_batch *batches;    /* a ring of depth + 1; the open one is behind the closed ones */
    int first, closed;
    int dirty;       /* the open batch has commands */
    int open_count;  /* launches in it */
    int due;         /* it is to be closed with the next launch */
    uint64_t number; /* of batches closed so far */
    /* Of the batch that is being retired: what a launch in it took, on average. As seen by who
     * looks now and then on a coarse clock: for sizes of launches, not for reports. */
    int64_t launch_ns;
    int64_t retired_ns; /* when the one before was retired */
};

/* A queue on a device. `wake` must outlive every callback, so it is static or lives as long as the
 * program. DAL_OK, DAL_ERR_NOMEM or DAL_ERR_DEVICE, with the queue zeroed. */
int dal_queue_init(struct dal_queue *queue, struct dal_device *device,
                   const struct dal_queue_config *config, struct dal_wake *wake);
/* Accepts a zeroed queue. Does not wait for commands. */
void dal_queue_finish(struct dal_queue *queue);

/* Is there room for one more launch? */
int dal_queue_has_room(const struct dal_queue *queue);

/* Adds an update to the open batch. DAL_OK or DAL_ERR_NOMEM. */
int dal_queue_defer(struct dal_queue *queue, enum dal_when when, struct dal_update update);

/* As dal_queue_defer(), but made one with the last update of its kind and object in the batch where
 * that one ends at `update.at`, each of its amount being `step` of `at`. What is joined is applied
 * where the first one stands. */
int dal_queue_defer_joined(struct dal_queue *queue, enum dal_when when, struct dal_update update,
                           size_t step);

/* Where the event of a transfer goes whose command is about to be enqueued, for the next function;
 * NULL without a log. */
dal_event *dal_queue_log_event(struct dal_queue *queue, dal_event *event);

/* Once the open batch has completed the log is told of a transfer. `event` is the command's, which
 * is given back; nothing is done for NULL. DAL_OK or DAL_ERR_NOMEM. */
int dal_queue_log(struct dal_queue *queue, enum dal_direction direction, const char *channel,
                  size_t bytes, dal_event event);

/* To be told of every launch; closes the open batch when it is due, or has a fair share of the
 * depth, so that the device starts before all is enqueued. DAL_OK or DAL_ERR_DEVICE. */
int dal_queue_launched(struct dal_queue *queue);

/* Closes the open batch, if it is dirty, and applies its flush updates; the uploads it may wait for
 * are flushed before, the downloads that wait for it after. */
int dal_queue_flush(struct dal_queue *queue);

/* Retires completed batches, oldest first, and applies their completion updates. Returns how many,
 * or DAL_ERR_DEVICE when a command of one failed (logged). */
int dal_queue_poll(struct dal_queue *queue);

/* Are there batches, or downloads of them, that have not completed? */
int dal_queue_busy(const struct dal_queue *queue);

/* Returns 1 when there is a batch that has not completed. The oldest one signals `wake` when it
 * does, if the device calls back; that of any other has to be looked for. */
int dal_queue_arm(struct dal_queue *queue);

#endif
