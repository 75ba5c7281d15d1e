/*
 * A network installed on this machine, as data: its processes, channels, workers and the task
 * queue. Made, run and destroyed by rt/network; watched by rt/watch, observed by rt/observe.
 */
#pragma once

#include "rt/device/handler.h"
#include "rt/host/process.h"
#include "rt/host/worker.h"
#include "rt/model/observer.h"

struct dal_devices;
struct dal_throttles;
struct dal_monitor;
struct dal_nodes;
struct dal_snapshot_taker;

/* How long a network may stand still, and how much it may grow. */
struct dal_monitor_limits {
    /* How long nothing may fire or move until the network is ended; 0: never ended. */
    int64_t stall_ns;
    int runs_too;          /* True: it is ended even while a process that is not io runs. */
    int64_t device_ns;     /* with launches in flight and none completing; 0: never */
    int64_t link_ns;       /* the same for messages between nodes */
    int64_t io_ns;         /* of one firing of an io process; 0: without limit */
    int64_t report_ns;     /* between reports of calls that have not returned; 0: never */
    uint64_t growth_bytes; /* by which all channels together may grow */
    int all_cores;         /* True: no worker is parked (rt/watch/throttles.h) */
};

/* What watches a network, with its limits and its results (rt/watch). */
struct dal_supervision {
    struct dal_monitor *monitor;     /* NULL until it starts */
    struct dal_throttles *throttles; /* NULL until they start */
    struct dal_monitor_limits limits;
    struct dal_snapshot_taker *snapshot_taker; /* NULL without dynamic rates over nodes */
    _Atomic uint64_t grown_bytes;              /* bytes by which channels have grown */
    /* Writes the report of a network that does not come to its end; NULL if none is wanted. The
     * first who sets `concludes` does that, or what is done after the end. */
    void (*report)(struct dal_network *network);
    void (*save)(void *save_of); /* it calls this; or NULL */
    void *save_of;
    _Atomic int concludes;
};

/* The open devices, and which one each processor is. */
struct dal_network_devices {
    struct dal_devices **kept, *own; /* kept between networks, or this one's own */
    int *queue_of;                   /* by processor: index in handler.queues, or -1 */
};

struct dal_network {
    const struct dal_net *net;   /* this node's part, or `whole` */
    const struct dal_net *whole; /* of all nodes */
    struct dal_nodes *nodes;     /* NULL with one node */
    struct dal_control control;
    struct dal_process *processes;
    struct dal_channel **channels;
    struct dal_region *regions; /* for the channels' rings; rt/network/regions.h */
    struct dal_groups groups;   /* of C and KPN processes */
    struct dal_pool *pools;     /* as many as processes; processes of the same workers have one */
    struct dal_worker *workers; /* one a core in use */
    int worker_count;
    struct dal_handler handler;
    struct dal_network_devices devices;
    struct dal_supervision supervision;
    struct dal_observing observing;
    const char *label;             /* of this run; NULL if there is only one */
    int64_t begin_ns;              /* dal_now_ns() when it began to run */
    int64_t wall_ns;               /* of its run */
    struct dal_network *abandoned; /* the earlier one that could not be freed */
};

/* Is the channel one of an output port, whose first one is `first`? */
static inline int dal_net_is_of_port(const struct dal_net *net, int first, int channel)
{
    while (first != channel && net->channels[first].next_of_port)
        first = net->channels[first].next_of_port;
    return first == channel;
}

/* Returns the place of an observer in a network, or NULL if it is not wanted. */
static inline const struct dal_observed *dal_observed_by(const struct dal_network *network,
                                                         const struct dal_observer *observer)
{
    int i;
    for (i = 0; i < network->observing.count; i++)
        if (network->observing.list[i].row == observer)
            return &network->observing.list[i];
    return NULL;
}

/* Returns the state of an observer, or NULL. */
static inline void *dal_observer_state(const struct dal_network *network,
                                       const struct dal_observer *observer)
{
    const struct dal_observed *observed = dal_observed_by(network, observer);
    return observed ? observed->state : NULL;
}
