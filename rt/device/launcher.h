/*
 * A process launcher: an OpenCL process as the handler sees it. It launches as many firings as
 * there are tokens and space for, up to S, one work-group each, ahead of what the device has done.
 *
 * What a launch did is seen at its end, and it cannot be asked to end. So it takes no more firings
 * than last some 200 ms, found by trying: at first one for each compute unit, which take as long as
 * one; that is also the least. Where launches are long, no more than two are in flight.
 *
 * On several devices it has a lane on each. Blocks of S firings are dealt to them in turn, in token
 * order (channels/channel.h), so a launch goes no further than its block. The launcher works in the
 * lane of its next firing.
 */
#ifndef DAL_RT_DEVICE_LAUNCHER_H
#define DAL_RT_DEVICE_LAUNCHER_H

#include "channels/device_end.h"
#include "rt/device/handler.h"
#include "rt/host/process.h"

/* What a launcher is on one device. */
struct dal_launcher_lane {
    struct dal_queue *queue;
    cl_kernel kernel;
    struct dal_argument *bound; /* what the kernel's arguments are set to, one a port */
    struct dal_trace_row *row;  /* of the device */
    int in_flight;              /* launches; the handler's */
    uint64_t firings, launches; /* so far */
    int64_t busy_ns;            /* spent in them, when timed */
};

struct dal_launcher {
    struct dal_task task; /* first member */
    struct dal_process *process;
    struct dal_handler *handler;
    struct dal_launcher_lane *lanes, *lane; /* `lane` is that of the next firing; the handler's */
    struct dal_queue **queues;              /* of the lanes */
    int lane_count;
    struct dal_argument *arguments; /* of the launch being made */
    cl_event *fences;
    uint64_t least, most;  /* firings of a launch that the time allows, within S */
    int slow;              /* a launch takes long */
    int stray;             /* launches have not gone by S: the next ones get back to that */
    _Atomic int in_flight; /* launches; the monitor looks, relaxed */
    struct dal_launcher *inbox_next;
    _Atomic int posted; /* in the inbox */
};

extern const struct dal_process_ops dal_process_opencl;

/* Builds the kernel for the queue's device and checks the device's limits: DAL_ERR_BUILD,
 * DAL_ERR_LIMIT, DAL_ERR_OPENCL, DAL_ERR_NOMEM, logged. The caller finishes it either way. */
int dal_launcher_init(struct dal_launcher *launcher, struct dal_process *process,
                      struct dal_handler *handler, struct dal_queue *queue,
                      struct dal_trace_row *row);

/* One more device, as long as it lasts: where this fails, as above, the launcher goes on without.
 */
int dal_launcher_add_lane(struct dal_launcher *launcher, struct dal_queue *queue,
                          struct dal_trace_row *row);

/* Has it a lane on this queue? */
int dal_launcher_is_on(const struct dal_launcher *launcher, const struct dal_queue *queue);
void dal_launcher_finish(struct dal_launcher *launcher);

#endif
