/*
 * A network installed on this machine: its processes, channels, workers and the task queue.
 *
 * Life: create (devices, channels, processes, links), run, report, destroy; all from the main
 * thread, but for run, which may have a thread of its own.
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
    const struct dal_net *net;   /* of several nodes: this one's part */
    const struct dal_net *whole; /* of all nodes */
    struct dal_nodes *nodes;     /* NULL: there is one node */
    struct dal_control control;
    struct dal_process *processes;
    struct dal_channel **channels;
    struct dal_region *regions;    /* their rings; rt/network/regions.h */
    struct dal_groups groups;      /* of C and KPN processes */
    struct dal_latency *latencies; /* as the table has them; rt/observe/timing.h */
    struct dal_worker *workers;    /* one a core in use */
    int worker_count;
    struct dal_handler handler;
    struct dal_monitor monitor;
    struct dal_monitor_limits limits;
    struct dal_witness witness;                 /* of several nodes, with dynamic rates */
    struct dal_look look;                       /* its own; the progress thread's */
    _Atomic uint64_t grown_bytes;               /* of channels, by resolve.h */
    struct dal_devices **devices, *own_devices; /* kept between networks, or this one's own */
    int *device_of;          /* by processor: index of its queue in handler.queues, -1 without */
    struct dal_steer *steer; /* who changes live parameters; rt/steer/steer.h */
    struct dal_progress *progress;    /* rt/observe/progress.h; NULL where none is wanted */
    struct dal_levels *levels;        /* rt/observe/levels.h; NULL where none are wanted */
    struct dal_live_view *view;       /* its page, where DAL_VIEW wants one; rt/observe/live.h */
    const char *label;                /* of this run, NULL for the only one */
    int64_t begin_ns;                 /* when it began to run, dal_now_ns() */
    int64_t wall_ns;                  /* how long it ran */
    struct dal_nodes_report *reports; /* of the other ranks, in the first one (gather.h) */
    struct dal_network *abandoned;    /* the one before that could not be given back */
};

struct dal_network_options {
    int strict; /* a device that is not there is an error */
    /* "PROCESS.NAME=VALUE"; PROCESS may be a name, or a base, whose processes all get it. */
    const char *const *overrides;
    int override_count;
    const struct dal_monitor_limits *limits; /* NULL: the usual ones */
    /* Where open devices, with the programs built for them, are kept from one network of a
     * description to the next, NULL at first; the caller destroys them. NULL: they are not kept. */
    struct dal_devices **devices;
    /* Of a network on several nodes: what is installed of it, and the ranks, which have met;
     * without those it cannot run. NULL otherwise. */
    const struct dal_net *part;
    struct dal_nodes *nodes;
    /* Several applications in one program; NULL otherwise. */
    const char *application;   /* name, for messages */
    const char *label;         /* of the run, in tables and names of files: "NAME-2" */
    struct dal_events *events; /* what its processes send */
};

/*
 * Installs a network, or that part of it. Returns DAL_OK with *network to be destroyed, or a
 * negative code, logged, with *network NULL; DAL_ERR_INVALID is a wrong override.
 */
int dal_network_create(struct dal_network **network, const struct dal_net *net,
                       const struct dal_network_options *options);

/* Instead of running: installs a network, or the parts of all its nodes one after the other, and
 * removes it. DAL_OK or a negative code, logged. */
int dal_network_try(const struct dal_net *net, const struct dal_network_options *options);

/* Before the run: can the files of statistics and trace be written that are wanted of it? DAL_OK or
 * a negative code, logged. `nodes` and `label` as in the options. */
int dal_network_check_files(const struct dal_nodes *nodes, const char *label);

/* Is "PROCESS.NAME=VALUE" right for a network? DAL_OK or DAL_ERR_INVALID, logged. */
int dal_network_check_override(const struct dal_net *net, const char *text);

/* Runs to the end. Returns DAL_OK, or the first error of the run, logged where it happened. */
int dal_network_run(struct dal_network *network);

/* After the run: warnings of latencies and deadlines that were missed, which each node gives of its
 * own; statistics, times and trace, where they are wanted. DAL_OK or a negative code of what could
 * not be written, logged. */
int dal_network_report(struct dal_network *network);

/* Accepts NULL and half-made networks. */
void dal_network_destroy(struct dal_network *network);

#endif
