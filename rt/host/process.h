/*
 * Processes at run time. A C process is fired by workers (rt/host/worker.h), an OpenCL process by
 * its launcher (rt/device/launcher.h); what is common is here.
 *
 * Thread contract: a process is used by the thread that fires it. A C process that several workers
 * may fire is claimed through `claim`, which hands all the rest over; with
 * shadow copies it is claimed to begin and to release activations, and a copy that runs belongs to
 * the worker that began it. Until its cluster has come apart, a process is the cluster's
 * (rt/host/cluster.h).
 */
#ifndef DAL_RT_HOST_PROCESS_H
#define DAL_RT_HOST_PROCESS_H

#include "channels/channel.h"
#include "rt/host/claim.h"
#include "rt/control/control.h"
#include "include/net.h"
#include "rt/host/pace.h"
#include "rt/report/trace.h"

struct dal_cluster; /* rt/host/cluster.h */
struct dal_launcher;
struct dal_kpn; /* rt/host/kpn.h */

/*
 * One activation of a C process at a time. Activations begin in order and are released in order;
 * between the two, copies run side by side. An activation that was asked to end early (net.h) is
 * parked: what it has done is released when its turn comes, and the first worker that looks at the
 * process goes on with it, for as many firings as the pace allows.
 */
struct dal_copy {
    _Alignas(64) DALProcess dal;
    struct dal_activation activation;
    unsigned char **begins; /* first byte of each port's window */
    uint64_t fired;         /* firings of the activation, from `begins` on; not yet released */
    uint64_t left;          /* firings that it has not done; it is parked if it does not run */
    int64_t busy_ns;
    /* Odd while a worker runs it, or its process's init or finish, and moved on by that worker
     * alone (relaxed): the monitor sees whether it is the same run as at its last look. */
    _Atomic unsigned runs;
};

static inline void dal_copy_turn(struct dal_copy *copy)
{
    unsigned runs = atomic_load_explicit(&copy->runs, memory_order_relaxed);
    atomic_store_explicit(&copy->runs, runs + 1, memory_order_relaxed);
}

static inline int dal_copy_runs(const struct dal_copy *copy)
{
    return (int)(atomic_load_explicit(&copy->runs, memory_order_relaxed) & 1);
}

struct dal_process {
    struct dal_listener listener; /* first member: told when a peer of its ends moves */
    const struct dal_process_desc *desc;
    struct dal_control *control;
    struct dal_end **ends;   /* one a port, in the specification's order */
    const char **parameters; /* values after overrides, in the specification's order */
    int source;              /* no input from another process */
    struct dal_end *wanted;  /* an output that must have been closed before all have, or NULL */
    uint64_t firings;        /* so far */
    uint64_t launches;       /* activations of a C process, launches of an OpenCL process */
    int timed;               /* statistics or a trace are wanted */
    int64_t busy_ns;         /* spent in them, when timed */
    _Atomic int ended;       /* it will never fire again, its ends are closed */
    int spared;              /* nobody read from it any more when it ended */

    struct dal_launcher *launcher; /* OpenCL */

    /* C, KPN */
    void (*run)(DALProcess *p,
                struct dal_activation *a); /* as that of its code (rt/host/firing.h) */
    struct dal_process *previous, *next;   /* of all, for rt/host/firing.h */
    struct dal_kpn *kpn;                   /* of a KPN process; it has one copy and one thread */
    struct dal_copy *copies;               /* shadow copies; the first has the process's state */
    struct dal_pace pace;
    struct dal_cluster *cluster; /* the one that it is in */
    int copy_count;              /* 1, unless it is stateless and several workers may fire it */
    uint64_t begun, done;        /* activations; the one numbered n is in copies[n % copy_count] */
    int parked;                  /* of those */
    /* "init" or "finish" while the first copy runs that, else NULL; relaxed, for the monitor. */
    const char *_Atomic calling;
    int started, finished;   /* init, finish was called */
    int ending;              /* nothing is begun any more */
    _Atomic int at_work;     /* begun and not all released; see monitor.h */
    struct dal_claim claim;  /* of the worker that fires it, or looks */
    struct dal_wake **wakes; /* of those workers */
    int wake_count;
};

/* Takes a process to pieces; the ends belong to the channels. Accepts a zeroed one. */
void dal_process_finish(struct dal_process *process);

/* Allocates what a description asks for; ends are filled in by the caller. DAL_OK or
 * DAL_ERR_NOMEM; the caller finishes the process either way. */
int dal_process_init(struct dal_process *process, const struct dal_process_desc *desc,
                     struct dal_control *control);

/* From now on the process is its description's fallback, with parameters and ends as they are.
 * DAL_OK or DAL_ERR_NOMEM. Before workers and channels are made; a launcher has been finished. */
int dal_process_fall_back(struct dal_process *process);

/* Index of a parameter, -1 without one of that name. */
int dal_process_parameter(const struct dal_process_desc *desc, const char *name);

/* Sets what depends on the ends. After they are filled in. */
void dal_process_link(struct dal_process *process);

/*
 * Fires a C process as often as its channels and its block allow, at once. Returns 1 when it did
 * or has ended just now, 0 when there was nothing to do. Calls init before the first firing and
 * finish after the last. Errors end the network through `control`. `row` is the calling worker's.
 * Shadow copies are dealt to the workers, so that tokens stay in one core's cache: only those of
 * the worker of that number among the process's are fired, or any if it is negative.
 */
int dal_process_activate(struct dal_process *process, int number,
                         struct dal_trace_row *row); /* activate.c */

/* The steps of an activation, for rt/host/cluster.h. */

/* Takes the next windows of every end, for an activation that begins or has been run in them. */
void dal__process_take(struct dal_process *process, struct dal_copy *copy,
                       uint64_t firings); /* activate.c */

/* Fires a copy in the windows of its activation, and takes the time. */
void dal__process_run_timed(struct dal_process *process, struct dal_copy *copy,
                            struct dal_trace_row *row); /* activate.c */

/* Releases activations that have been run, in order, and ends the process when it is time. */
void dal__process_release(struct dal_process *process); /* activate.c */

/* Calls init when it is due; 0 when the network broke. */
int dal__process_start(struct dal_process *process); /* activate.c */

/* Ends a process of which nothing is under way: finish is called, its ends are closed. */
void dal__process_end(struct dal_process *process); /* activate.c */

/* Calls finish if init was called and finish was not: nobody fires the process any more. */
void dal_process_last_call(struct dal_process *process); /* activate.c */

/* Closes all ends. For the owner, once it will not fire again. */
void dal_process_close(struct dal_process *process);

/* Will an input hold less than a firing for good? */
int dal_process_starved(struct dal_process *process);

/* Are all outputs closed at the other end, and there is one? Not so of a process with effects
 * outside of the network. */
int dal_process_unheard(struct dal_process *process);

/* Does nobody want another firing? True for a source when the network is stopping, and when all
 * consumers have closed, but for a process with effects outside of the network: what was sent to it
 * arrives. */
int dal_process_unwanted(struct dal_process *process);

#endif
