/*
 * A network installed on this machine: its processes, channels, workers and the task queue.
 *
 * Life: create (devices, channels, processes, links), run, report, destroy. The main thread does
 * all of it, but run may have a thread of its own.
 */
#ifndef DAL_RT_NETWORK_NETWORK_H
#define DAL_RT_NETWORK_NETWORK_H

#include "rt/device/handler.h"
#include "rt/watch/monitor.h"
#include "rt/host/process.h"
#include "rt/host/worker.h"
#include "rt/nodes/survey.h"

struct dal_devices;
struct dal_nodes;
struct dal_nodes_report;

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
    struct dal_monitor monitor;
    struct dal_monitor_limits limits;
    struct dal_witness witness;                 /* on several nodes, with dynamic rates */
    struct dal_look look;                       /* of the witness, for the progress thread */
    _Atomic uint64_t grown_bytes;               /* by which channels have grown; resolve.h */
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

struct dal_network_options {
    int strict; /* True when a missing device is an error. */
    /* "PROCESS.NAME=VALUE". PROCESS may be a name or a base; all processes of that base get the
     * value. */
    const char *const *overrides;
    int override_count;
    const struct dal_monitor_limits *limits; /* NULL: the usual ones */
    /* Open devices and their programs, kept from one network of a description to the next. *devices
     * is NULL at first; the caller destroys them. NULL: they are not kept. */
    struct dal_devices **devices;
    /* On several nodes, the installed part of the network, and the ranks, which have met. A part
     * cannot run without them. NULL otherwise. */
    const struct dal_net *part;
    struct dal_nodes *nodes;
    /* For several applications in one program; NULL otherwise. */
    const char *application;   /* for messages */
    const char *label;         /* of the run, in tables and names of files: "NAME-2" */
    struct dal_events *events; /* what its processes send */
};

/*
 * Installs a network, or one part of it. Returns DAL_OK with *network, which the caller destroys.
 * Otherwise returns a negative code, logged, with *network NULL; DAL_ERR_INVALID is a wrong
 * override.
 */
int dal_network_create(struct dal_network **network, const struct dal_net *net,
                       const struct dal_network_options *options);

/* Installs and removes a network, or the parts of all its nodes in turn, instead of running it.
 * Returns DAL_OK or a negative code, logged. */
int dal_network_try(const struct dal_net *net, const struct dal_network_options *options);

/* Checks before the run that the wanted files of statistics and trace can be written. Returns
 * DAL_OK or a negative code, logged. `nodes` and `label` are as in the options. */
int dal_network_check_files(const struct dal_nodes *nodes, const char *label);

/* Checks an override "PROCESS.NAME=VALUE" for a network. Returns DAL_OK or DAL_ERR_INVALID,
 * logged. */
int dal_network_check_override(const struct dal_net *net, const char *text);

/* Runs the network to its end. Returns DAL_OK, or the first error of the run, logged where it
 * happened. */
int dal_network_run(struct dal_network *network);

/* Reports after the run: each node warns of its missed latencies and deadlines. Writes statistics,
 * times and trace if they are wanted. Returns DAL_OK, or a negative code if a file could not be
 * written, logged. */
int dal_network_report(struct dal_network *network);

/* Accepts NULL and half-made networks. */
void dal_network_destroy(struct dal_network *network);

#endif
