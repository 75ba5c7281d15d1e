/*
 * A network installed on this machine, as data: its processes, channels, workers and the task
 * queue. Made, run and destroyed by rt/network; watched by rt/watch, observed by rt/observe.
 */
#ifndef DAL_RT_MODEL_NETWORK_H
#define DAL_RT_MODEL_NETWORK_H

#include "rt/device/handler.h"
#include "rt/host/process.h"
#include "rt/host/worker.h"

struct dal_devices;
struct dal_monitor;
struct dal_nodes;
struct dal_nodes_report;
struct dal_surveyor;

/* How long a network may stand still, and how much it may grow. */
struct dal_monitor_limits {
    int64_t
        stall_ns; /* without a firing or a token's move, before the network is ended; 0: never */
    int runs_too; /* True: it is ended even while a process that is not io runs. */
    int64_t device_ns;     /* with launches in flight and none completing; 0: never */
    int64_t link_ns;       /* the same for messages between nodes */
    int64_t io_ns;         /* of one firing of an io process; 0: without limit */
    int64_t report_ns;     /* between reports of calls that have not returned; 0: never */
    uint64_t growth_bytes; /* that all channels may grow by, together */
};

struct dal_network {
    const struct dal_net *net;   /* this node's part, or `whole` */
    const struct dal_net *whole; /* of all nodes */
    struct dal_nodes *nodes;     /* NULL with one node */
    struct dal_control control;
    struct dal_process *processes;
    struct dal_channel **channels;
    struct dal_region *regions;    /* for the channels' rings; rt/network/regions.h */
    struct dal_groups groups;      /* of C and KPN processes */
    struct dal_latency *latencies; /* in the table's order; rt/observe/timing.h */
    struct dal_worker *workers;    /* one a core in use */
    int worker_count;
    struct dal_handler handler;
    struct dal_monitor *monitor; /* rt/watch/monitor.h; NULL until it starts */
    struct dal_monitor_limits limits;
    struct dal_surveyor *surveyor; /* rt/watch/resolve.h; NULL without dynamic rates over nodes */
    _Atomic uint64_t grown_bytes;  /* by which channels have grown; resolve.h */
    struct dal_devices **devices, *own_devices; /* kept between networks, or this one's own */
    int *device_of;                /* by processor: index of its queue in handler.queues, or -1 */
    struct dal_steer *steer;       /* changes of live parameters; rt/steer/steer.h */
    struct dal_progress *progress; /* rt/observe/progress.h; NULL unless wanted */
    struct dal_levels *levels;     /* rt/observe/levels.h; NULL unless wanted */
    struct dal_live_view *view;    /* the page of DAL_VIEW, or NULL; rt/observe/live.h */
    const char *label;             /* of this run; NULL if there is only one */
    int64_t begin_ns;              /* dal_now_ns() when it began to run */
    int64_t wall_ns;               /* of its run */
    struct dal_nodes_report *reports; /* of the other ranks, in the first rank (gather.h) */
    struct dal_network *abandoned;    /* the earlier one that could not be freed */
};

#endif
