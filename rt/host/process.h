/*
 * Processes at run time. A C process is fired by workers (rt/host/worker.h), an OpenCL process by
 * its launcher (rt/device/launcher.h); what is common is here.
 *
 * Thread contract: a process is used by the thread that fires it. A C process is its group's
 * (rt/host/group.h).
 */
#ifndef DAL_RT_HOST_PROCESS_H
#define DAL_RT_HOST_PROCESS_H

#include "channels/channel.h"
#include "rt/control/control.h"
#include "include/net.h"
#include "rt/base/histogram.h"
#include "rt/host/latency.h"
#include "rt/host/own.h"
#include "rt/host/timer.h"
#include "rt/trace/trace.h"

struct dal_changes; /* rt/host/changes.h */
struct dal_group;   /* rt/host/group.h */
struct dal_launcher;
struct dal_kpn; /* rt/host/kpn.h */

/* From the begin of the first firing to the end of the last, when timed; zeros before. */
struct dal_span {
    int64_t first_ns, last_ns; /* dal_now_ns() */
};

static inline void dal_span_add(struct dal_span *span, int64_t begin_ns, int64_t end_ns)
{
    if (span->first_ns == 0)
        span->first_ns = begin_ns;
    span->last_ns = end_ns;
}

/* One activation of a C process at a time. */
struct dal_copy {
    _Alignas(64) DALProcess dal;
    struct dal_activation activation;
    int64_t wall_ns; /* spent in it, not yet counted for the process */
    int lengthy;     /* its last run took long (rt/host/meter.h) */
    struct dal_span span;
    /* Nanoseconds a firing, of the thread that runs it; read when all threads have been joined.
     * NULL when nobody asks. */
    struct dal_histogram *times;
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

/* What differs from one kind of processes to another: rt/host/activate.c, rt/host/kpn.c,
 * rt/device/launcher.c and rt/nodes/flow.c have one each. */
struct dal_process_ops {
    int on_device;  /* it has no copies on the host, and no worker */
    int has_thread; /* of its own, and one copy; its rates are not fixed */
    int is_courier; /* it is fired on no processor of this node, and has no copies (rt/nodes) */
    /* Allocates what the kind needs. DAL_OK or DAL_ERR_NOMEM; `finish` either way. Both may be
     * NULL. */
    int (*init)(struct dal_process *process);
    void (*finish)(struct dal_process *process);
    /* Fires it in its own thread, as dal_group_activate(); NULL: it is fired in its group. */
    int (*activate)(struct dal_process *process, struct dal_trace_row *row);
    /* Around its init, in its thread: may wait for those of others. Both, or NULL. */
    void (*before_init)(struct dal_process *process);
    void (*after_init)(struct dal_process *process);
    /* For the monitor, any thread: the end that its thread sleeps at, NULL without, and a number
     * that moves while a firing does. NULL: it never sleeps in a firing. */
    const struct dal_end *(*sleeps_at)(const struct dal_process *process);
    unsigned (*progress)(const struct dal_process *process);
};

/* Workers fire it, or a thread of its own. */
static inline int dal_is_on_host(const struct dal_process_ops *ops)
{
    return !ops->on_device && !ops->is_courier;
}

extern const struct dal_process_ops dal_process_c; /* activate.c */

struct dal_process {
    struct dal_listener listener; /* first member: told when a peer of its ends moves */
    const struct dal_process_desc *desc;
    const struct dal_process_ops *ops;
    struct dal_control *control;
    struct dal_end **ends;       /* one a port, in the specification's order */
    const char **parameters;     /* values after overrides, in the specification's order */
    struct dal_changes *changes; /* of those that are live; NULL without. Owned */
    int source;                  /* no input from another process */
    struct dal_end *wanted;      /* an output that must have been closed before all have, or NULL */
    _Atomic uint64_t firings;    /* so far; counted by who fires it */
    uint64_t launches;           /* activations of a C process, launches of an OpenCL process */
    _Atomic uint64_t length;     /* firings in all, by DAL_setLength; 0: not told; relaxed */
    int timed;                   /* statistics or a trace are wanted */
    _Atomic int64_t wall_ns;     /* spent in them, when timed */
    _Atomic int64_t busy_ns;     /* of that, processor time of hosts (rt/host/meter.h); relaxed */
    _Atomic int ended;           /* it will never fire again, its ends are closed */
    int unread;                  /* nobody read from it any more when it ended */

    struct dal_marks *marks; /* of latencies that begin or end here; NULL without. Owned */

    struct dal_launcher *launcher; /* OpenCL */

    /* C, KPN */
    void (*run)(DALProcess *p,
                struct dal_activation *a); /* as that of its code (rt/host/firing.h) */
    void (*run_phase)(DALProcess *p, struct dal_activation *a);
    struct dal_own own;
    struct dal_process *previous, *next; /* of all, for rt/host/firing.h */
    struct dal_kpn *kpn;                 /* of a KPN process; it has one copy and one thread */
    struct dal_copy *copies;             /* shadow copies; the first has the process's state */
    const struct dal_openmp *openmp;     /* of a process with threads, NULL of others; */
    int threads;                         /* as many as there are cores for on this machine */
    int copy_count;          /* 1, unless it is stateless and several workers may fire it */
    struct dal_group *group; /* the one that it is in */
    int number;              /* in that one */
    struct dal_group *alone; /* its own, where that one is over */
    struct dal_timer *timer; /* of a periodic process, NULL of others. Owned */
    /* "init" or "finish" while the first copy runs that, else NULL; relaxed, for the monitor. */
    const char *_Atomic calling;
    int started, finished;   /* init, finish was called */
    int by_itself;           /* it ended with a firing that was its last */
    struct dal_wake **wakes; /* of the workers that may fire it */
    int wake_count;
    /* Fired by phases (rt/host/phase.h): */
    _Atomic int phase; /* the next one; stored (release) by who fires it, for the monitor */
    int64_t cycle_ns;  /* spent in those before it, when timed */
};

/* Takes a process to pieces; the ends belong to the channels. Accepts a zeroed one. */
void dal_process_finish(struct dal_process *process);

/* Allocates what a description asks for; ends are filled in by the caller. DAL_OK or
 * DAL_ERR_NOMEM; the caller finishes the process either way. */
int dal_process_init(struct dal_process *process, const struct dal_process_desc *desc,
                     const struct dal_process_ops *ops, struct dal_control *control);

/* From now on the process is its description's fallback in C, with parameters and ends as they are.
 * DAL_OK or DAL_ERR_NOMEM. Before workers and channels are made; a launcher has been finished. */
int dal_process_fall_back(struct dal_process *process, const struct dal_process_ops *ops);

/* From now on its copies keep times, each of its own; without effect for one on a device. DAL_OK or
 * DAL_ERR_NOMEM. Once, before it is fired. */
int dal_process_keep_times(struct dal_process *process);

/* Index of a parameter, -1 without one of that name. */
int dal_process_parameter(const struct dal_process_desc *desc, const char *name);

/* Are they mapped to the same processors, in the same order? */
int dal_process_same_processors(const struct dal_process_desc *a, const struct dal_process_desc *b);

/* Sets what depends on the ends. After they are filled in. */
void dal_process_link(struct dal_process *process);

/* Calls init when it is due; 0 when the network broke. */
int dal__process_start(struct dal_process *process);

/* Ends a process of which nothing is under way: finish is called, its ends are closed. */
void dal__process_end(struct dal_process *process);

/* Calls finish if init was called and finish was not: nobody fires the process any more. */
void dal_process_last_call(struct dal_process *process);

/* Closes all ends. For the owner, once it will not fire again. */
void dal_process_close(struct dal_process *process);

/* Will an input hold less than a firing for good, or than a phase where it is fired by phases? */
int dal_process_starved(struct dal_process *process);

/* Are all outputs closed at the other end, and there is one? Not so of a process with effects
 * outside of the network. */
int dal_process_is_unread(struct dal_process *process);

/* Is it a source, and the network is stopping? */
int dal_process_stopped(const struct dal_process *process);

/* Does nobody want another firing? True for a source when the network is stopping, and when all
 * consumers have closed, but for a process with effects outside of the network: what was sent to it
 * arrives. */
int dal_process_unwanted(struct dal_process *process);

#endif
