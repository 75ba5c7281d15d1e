/*
 * The task queue's handler: the one thread of a node that talks to devices (Scherer 2013,
 * section 4.4). It runs the tasks of process launchers, closes batches, and retires completed ones.
 *
 * Other threads reach it only through dal_handler_post() and the wake object.
 */
#pragma once

#include "channels/queue.h"
#include "rt/base/sync.h"
#include "rt/control/control.h"
#include "rt/device/policy.h"
#include "rt/device/transfers.h"

struct dal_launcher;
struct dal_placed;

struct dal_handler {
    struct dal_wake *wake;
    struct dal_control *control;
    const struct dal_policy *policy;
    struct dal_task_list tasks;
    _Atomic(struct dal_launcher *) inbox; /* a stack: pushed by any thread, taken whole */
    struct dal_launcher *launchers;
    int launcher_count;
    struct dal_queue *queues;     /* one a device in use */
    struct dal_device_rows *rows; /* one a queue */
    int queue_count;
    struct dal_placed *placed; /* constants in memory of devices (rt/device/placed.h) */
    int on_cores;              /* true if a device is made of this machine's cores */
    pthread_t thread;
    int running;
    _Atomic int idle; /* for the monitor: it sleeps, or has ended, and nothing is in flight */
    _Atomic uint64_t retired; /* batches; only grows, relaxed, for the monitor */
    int stuck; /* true if commands did not complete: their memory must not be freed */
};

/* Asks for a turn of a launcher. Any thread; neither blocks nor allocates. */
void dal_handler_post(struct dal_handler *handler, struct dal_launcher *launcher);

/* Starts the thread. DAL_OK or DAL_ERR_SYSTEM, logged. */
int dal_handler_start(struct dal_handler *handler);

/* Waits for its end: all launchers have ended, or the network is broken. In the latter case
 * commands in flight have two seconds to complete. If they do not, the handler is stuck. */
void dal_handler_join(struct dal_handler *handler);
