/*
 * Processes at run time. A C process is fired by workers (rt/host/worker.h), an OpenCL process by
 * its launcher (rt/device/launcher.h); what is common is here.
 *
 * Thread contract: a process is used by the thread that fires it. A C process is its group's
 * (rt/host/group.h).
 */
#pragma once

#include "channels/channel.h"
#include "include/net.h"
#include "rt/base/histogram.h"
#include "rt/control/control.h"
#include "rt/host/drift.h"
#include "rt/host/latency.h"
#include "rt/host/own.h"
#include "rt/host/parameter.h"
#include "rt/host/pool.h"
#include "rt/host/timer.h"
#include "rt/trace/trace.h"

struct dal_changes; /* rt/host/changes.h */
struct dal_group;   /* rt/host/group.h */
struct dal_launcher;
struct dal_kpn; /* rt/kpn/kpn.h */

/* Time from the begin of the first firing to the end of the last, when timed; zeros before. */
struct dal_span {
    int64_t first_ns, last_ns; /* dal_now_ns() */
};

static inline void dal_span_add(struct dal_span *span, int64_t begin_ns, int64_t end_ns)
{
    if (span->first_ns == 0)
        span->first_ns = begin_ns;
    span->last_ns = end_ns;
}

/* A copy of a C process runs one activation at a time. */
struct dal_copy {
    _Alignas(64) DALProcess dal;
    struct dal_activation activation;
    int64_t wall_ns; /* time spent in it, not yet counted for the process */
    int64_t part_ns; /* of a firing that is not whole: of its phases so far, when timed */
    int lengthy;     /* True when its last run took long (rt/host/meter.h). */
    struct dal_span span;
    /* Nanoseconds of a firing, written by the thread that runs it, read when all threads have been
     * joined. NULL when nobody asks. */
    struct dal_histogram *times;
    /* Odd while a worker runs the copy, or its process's init or finish. Only that worker changes
     * it (relaxed). The monitor compares it to see whether the same run goes on. */
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

/* The operations of a kind of processes. rt/host/activate.c, rt/kpn/kpn.c, rt/device/launcher.c
 * and rt/nodes/flow.c have one each. */
struct dal_process_ops {
    int on_device;  /* True without copies on the host and without a worker. */
    int has_thread; /* True with a thread of its own and one copy; its rates are not fixed. */
    int is_proxy;   /* True when no processor of this node fires it, and it has no copies
                         (rt/nodes). */
    /* Allocates what the kind needs. Returns DAL_OK or DAL_ERR_NOMEM; call `finish` either way.
     * Both may be NULL. */
    int (*init)(struct dal_process *process);
    void (*finish)(struct dal_process *process);
    /* Fires it in its own thread, as dal_group_activate(). NULL: its group fires it. */
    int (*activate)(struct dal_process *process, struct dal_trace_row *row);
    /* Calls its init. NULL: that is called directly. */
    void (*call_init)(struct dal_process *process, void (*init)(DALProcess *p));
    /* Called around its init, in its thread; may wait for other inits. Both are set, or both
     * NULL. */
    void (*before_init)(struct dal_process *process);
    void (*after_init)(struct dal_process *process);
    /* Returns the end that its thread sleeps at, or NULL, and a number that moves while a firing
     * does. NULL: it never sleeps in a firing. For the monitor, any thread. */
    const struct dal_end *(*sleeps_at)(const struct dal_process *process);
    unsigned (*progress)(const struct dal_process *process);
};

/* Returns whether workers, or a thread of its own, fire it. */
static inline int dal_is_on_host(const struct dal_process_ops *ops)
{
    return !ops->on_device && !ops->is_proxy;
}

/* The part that only C and KPN processes have. */
struct dal_host {
    /* The functions of its code, or those of rt/host/firing.h. */
    void (*run)(DALProcess *p, struct dal_activation *a);
    void (*run_phase)(DALProcess *p, struct dal_activation *a);
    struct dal_own own;
    struct dal_process *previous, *next; /* in the list of all (rt/host/firing.h) */
    struct dal_kpn *kpn;                 /* of a KPN process; it has one copy and one thread */
    struct dal_copy *copies;             /* shadow copies; the first has the process's state */
    int copy_count;                  /* 1, unless it is stateless and several workers may fire it */
    const struct dal_openmp *openmp; /* of a process with threads, else NULL */
    int threads;                     /* cores for its threads that this machine has */
    struct dal_group *group;         /* the group that it is in */
    int number;                      /* the process's number in `group` */
    struct dal_group *alone;         /* its own group, once `group` is over */
    struct dal_changes *changes;     /* of its live parameters; NULL without. Owned */
    struct dal_timer *timer;         /* of a periodic process, else NULL. Owned */
    /* "init" or "finish" while the first copy runs it, else NULL; relaxed, for the monitor. */
    const char *_Atomic calling;
    int started, finished; /* True once init, finish was called. */
    int by_itself;         /* True when it ended with a last firing of its own. */
    /* Of a process that is fired by phases (rt/host/phase.h): the next phase. The firing thread
     * stores it (release) for the monitor. */
    _Atomic int phase;
};

/* The time that a process works. */
struct dal_process_time {
    int is_kept;             /* True when statistics or a trace are wanted. */
    _Atomic int64_t wall_ns; /* in firings, when it is kept */
    _Atomic int64_t busy_ns; /* of wall_ns, the hosts' processor time (rt/host/meter.h); relaxed */
    struct dal_drift drift;  /* of one that is periodic, or has a clock outside; when it is kept */
};

struct dal_process {
    struct dal_listener listener; /* first member; notified when a peer of its ends moves */
    const struct dal_process_desc *desc;
    const struct dal_process_ops *ops;
    struct dal_control *control;
    struct dal_end **ends;            /* one a port, in the specification's order */
    struct dal_parameter *parameters; /* after overrides, in the specification's order */
    int source;                       /* True when no other process feeds it. */
    int is_called;                    /* True when callers stand in for it (rt/kpn/call.h). */
    struct dal_end *wanted;           /* the output that must be closed before all are, or NULL */
    _Atomic uint64_t firings;         /* counted by the thread that fires it */
    uint64_t launches;       /* activations of a C process, launches of an OpenCL process */
    _Atomic uint64_t length; /* firings in all, set by DAL_setLength; 0: not set; relaxed */
    struct dal_process_time time;
    _Atomic int ended;             /* True when it will never fire again and its ends are closed. */
    int unread;                    /* True when nobody read from it any more at its end. */
    struct dal_probe *marks;       /* of latencies that begin or end here, or NULL. Owned */
    struct dal_launcher *launcher; /* of a process on devices, else NULL */
    struct dal_pool *pool;         /* the workers, or another thread, that may fire it */
    struct dal_host host;
};

/* Frees what a process has; the ends belong to the channels. Accepts a zeroed one. */
void dal_process_finish(struct dal_process *process);

/* Allocates what a description asks for; the caller fills in the ends. Returns DAL_OK or
 * DAL_ERR_NOMEM; the caller finishes the process either way. */
int dal_process_init(struct dal_process *process, const struct dal_process_desc *desc,
                     const struct dal_process_ops *ops, struct dal_control *control);

/* Makes the process its description's fallback in C, with the same parameters and ends. Returns
 * DAL_OK or DAL_ERR_NOMEM. Call it before workers and channels are made; a launcher has been
 * finished. */
int dal_process_fall_back(struct dal_process *process, const struct dal_process_ops *ops);

/* Returns the end whose tokens tell the pace of a process: its first output, or input without one;
 * NULL without ports, where firings tell it. */
const struct dal_end *dal_process_paced_end(const struct dal_process *process);

/* Makes each of its copies keep times; without effect on a device. Returns DAL_OK or DAL_ERR_NOMEM.
 * Call it once, before it is fired. */
int dal_process_keep_times(struct dal_process *process);

/* Reports a fault of a process, with its place, and ends the network. */
void dal_process_refuse(const struct dal_process *process, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the index of a parameter, or -1. */
int dal_process_parameter(const struct dal_process_desc *desc, const char *name);

/* Returns whether both are mapped to the same processors, in the same order. */
int dal_process_same_processors(const struct dal_process_desc *a, const struct dal_process_desc *b);

/* Sets what depends on the ends. Call it after they are filled in. */
void dal_process_link(struct dal_process *process);

/* Calls init if it is due. Returns 0 when the network broke. */
int dal__process_start(struct dal_process *process);

/* Calls finish for a process that has nothing under way, and closes its ends. */
void dal__process_end(struct dal_process *process);

/* Calls finish if init was called and finish was not. Nobody fires the process any more. */
void dal_process_last_call(struct dal_process *process);

/* Closes all ends. The owner calls it once it will not fire again. */
void dal_process_close(struct dal_process *process);

/* Returns whether an input will never hold enough for a firing, or for a phase if phases are
 * fired. */
int dal_process_starved(struct dal_process *process);

/* Returns whether nobody reads from any of these ends that are outputs; loops do not count. */
int dal_ends_unread(struct dal_end *const *ends, int count);

/* Returns whether it has outputs and readers have closed all. Never so for a process with effects
 * outside of the network. */
int dal_process_is_unread(struct dal_process *process);

/* Returns whether it is a source and the network is stopping. */
int dal_process_stopped(const struct dal_process *process);

/* Returns whether nobody wants another firing: the source's network is stopping, or all consumers
 * have closed. Consumers do not count for a process with effects outside of the network. All tokens
 * sent to such a process arrive. */
int dal_process_unwanted(struct dal_process *process);
