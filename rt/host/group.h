/*
 * Groups: one or more C processes that are fired as one, by the workers of the same cores. A
 * worker activates groups; that a group has one process is the usual case, and no special one.
 *
 * An activation takes windows of every end that leads out of the group, runs, and releases what it
 * did. A group may have a copy for each of several workers: then activations begin in order and are
 * released in order, and between the two the copies run side by side. So the tokens are those of
 * one copy.
 *
 * Several processes are a group where they are connected and each but the first is fed by one
 * before it; their channels to each other have the same rate at both ends and no initial tokens.
 * Every process fires a block of firings, in the plan's order, again and again, as in the loop that
 * one would write by hand; then the ends that lead out are brought up to date at once. So a token
 * stays in the cache until it leaves the group, and what an activation costs is spread over many.
 * Stateless processes of several cores are copied together: each core carries tokens of its own
 * through all of them. (Clustering of a dataflow graph: Bhattacharyya, Murthy, Lee, "Software
 * Synthesis from Dataflow Graphs", 1996.)
 *
 * No two ends of such a group lead to processes that are connected without it. So what one end
 * waits for never waits for a part of the group to fire before the rest, and no deadlock is made or
 * hidden. Once a process of it is about to end, and all activations are released, the group is
 * over: each of its processes is a group of its own from then on, from where this one left it.
 * Until then nobody but the group uses their ends.
 *
 * A periodic process is a group by itself. An activation of it takes no more firings than are left
 * of the release (rt/host/timer.h), and none when the next release is to come.
 *
 * An activation is asked to end early through the process that takes long (net.h). It is parked:
 * what it has done is released when its turn comes, and a worker goes on with it, for as many
 * firings as the pace allows: the first one that looks, or, where the group has several processes,
 * its own. There the processes before the one that was asked are ahead in the block; the others
 * catch up with what there is, and what has gone through all of them is released.
 *
 * Thread: found by the main thread before any process runs; then a worker's, or of several workers
 * the one's that claimed it, which hands all the rest over (acquire/release). A copy that runs
 * belongs to the worker that began it or goes on with it.
 */
#ifndef DAL_RT_HOST_GROUP_H
#define DAL_RT_HOST_GROUP_H

#include "rt/host/claim.h"
#include "rt/base/pace.h"
#include "rt/host/process.h"
#include "rt/host/waiter.h"

/* What firing a block takes: together, since it is done between any two of a few bytes. */
struct dal_step {
    void (*run)(DALProcess *p, struct dal_activation *a); /* the process's */
    struct dal_copy *copy;
    uint64_t done; /* firings of a block that was cut short; see struct dal_group_copy */
};

/* One activation of all processes, in their copies of one number. */
struct dal_group_copy {
    /* Of the processes' activations: one for each end that leads out, then two for each channel in
     * between. */
    _Alignas(64) struct dal_window **windows;
    struct dal_step *steps; /* one a process */
    uint64_t asked;         /* firings of each process that windows are held for */
    uint64_t done;          /* of those all processes have gone through, and not released */
    uint64_t goal;          /* of those to be gone through in this run */
    uint64_t blocks;        /* done */
    uint64_t ragged; /* firings of the block that was cut short which are left for the last process;
                        0: there is none. Each process has done as many as the one behind it, or
                        more; windows stand where these firings begin */
    uint64_t into;   /* firings of that block before them */
    int last;        /* the process that did not go through its block, -1: none */
    int begun;       /* and not released */
    int running;
    int early;  /* it was cut short in this run */
    int parked; /* it is to be gone on with */
};

struct dal_between; /* rt/host/overlay.h */

struct dal_group {
    struct dal_process **processes; /* in the plan's order */
    int count;
    struct dal_control *control;
    int changes;             /* it is a process alone that has live parameters */
    int by_phase;            /* or that is fired by phases (rt/host/phase.h) */
    int timed;               /* as its processes */
    int marked;              /* it has a timer, or a process with marks */
    int noted;               /* timed or marked: begins and ends of activations are noted */
    struct dal_timer *timer; /* of a process alone that is periodic, else NULL */
    struct dal_end **ends;   /* those of channels that lead out */
    int outer_count;
    struct dal_between *between; /* the channels that do not; rt/host/overlay.h */
    int between_count;
    unsigned char *overlays; /* of all copies, in pages */
    size_t overlay_bytes;    /* that a copy needs */
    size_t copy_bytes;       /* from one copy to the next */
    struct dal_group_copy *copies;
    int copy_count; /* of several processes one for each worker, of one process its shadow copies */
    uint64_t block; /* most firings of a process in a row */
    _Atomic int over; /* it is not fired any more: of several processes each is a group now */

    _Alignas(64) struct dal_claim claim; /* of the worker that begins or releases */
    _Atomic int at_work;                 /* begun and not all released; for the monitor */
    int ending;                          /* none is begun any more */
    int *order;           /* the copy of activation n is copies[order[n % copy_count]] */
    uint64_t begun, done; /* activations */
    int parked;           /* of those */
    struct dal_pace pace; /* firings of each process in one activation */
    /* What has been released, but not yet counted for processes and the channels in between: of
     * several processes that is done now and then. */
    uint64_t uncounted, uncounted_blocks;
    int64_t counted_ns;
    struct dal_waiter waiter; /* when timed */
};

/* The processes of a network, as its table has them: channels name them by their index. */
struct dal_process_list {
    struct dal_process *processes;
    int count;
};

struct dal_groups {
    struct dal_group **list; /* to be given to workers, in the plan's order */
    int count;
    struct dal_group *alone;    /* of each process one, also of those that are in another */
    struct dal_group *together; /* those of several */
    int alone_count, together_count;
    struct dal_process **members; /* of all groups */
};

/* Finds the groups of a network, whose processes are linked; each C or KPN process is in one of the
 * list. DAL_OK or DAL_ERR_NOMEM; the caller finishes what is there either way. */
int dal_groups_find(struct dal_groups *groups, const struct dal_process_list *all);
void dal_groups_finish(struct dal_groups *groups);

/* Takes over timers and marks that its processes have got. Before anything fires. */
void dal_group_take_notes(struct dal_group *group);

/* How a worker looks for something to do. */
enum dal_pass {
    DAL_PASS_OWN,  /* shadow copies that are another worker's are left to it */
    DAL_PASS_ALL,  /* at all copies */
    DAL_PASS_LAST, /* at all copies, and it sleeps if there is nothing (rt/host/claim.h) */
};

/*
 * Fires the processes of a group, as often as is possible and does not take long. Returns 1 when it
 * did, is over just now, or has to be looked at again; 0 when there was nothing to do. Calls init
 * before the first firing and finish after the last. Errors end the network through the processes'
 * control.
 *
 * `number` is the calling worker's among those of the processes, `row` its own. Shadow copies of
 * one process are dealt to the workers, so that tokens stay in one core's cache.
 */
int dal_group_activate(struct dal_group *group, int number, enum dal_pass pass,
                       struct dal_trace_row *row); /* activate.c */

/* Nobody fires its processes any more: what they did in activations that were never released is
 * counted, where the network broke. After all threads that fire have been joined, and the last call
 * of each process. (settle.c) */
void dal_group_settle(struct dal_group *group);

/* Between the files of this room. */

/* The copy of an activation that has begun; most groups have one copy, and need not divide. */
static inline struct dal_group_copy *dal__group_copy_of(const struct dal_group *group,
                                                        uint64_t activation)
{
    return group->copy_count == 1
               ? group->copies
               : &group->copies[group->order[activation % (uint64_t)group->copy_count]];
}

/* Brings processes and the channels in between up to date. */
void dal__group_count_released(struct dal_group *group); /* activate.c */

/* Counts for the processes what a worker has spent in them in a copy. */
void dal__group_add_times(struct dal_group *group, int number); /* activate.c */

/* Counts firings of a process in a network that broke, with their tokens, which nobody gets. None
 * of its windows is open. */
void dal__process_pass(struct dal_process *process, uint64_t firings); /* settle.c */

static inline int dal_group_is_over(const struct dal_group *group)
{
    return atomic_load_explicit(&group->over, memory_order_acquire);
}

/* How many of its processes have not ended? */
static inline int dal_group_alive(const struct dal_group *group)
{
    int i, alive = 0;
    if (group->count > 1 && !dal_group_is_over(group))
        return group->count;
    for (i = 0; i < group->count; i++) {
        const struct dal_process *process = group->processes[i];
        alive += !atomic_load_explicit(&process->ended, memory_order_relaxed);
    }
    return alive;
}

#endif
