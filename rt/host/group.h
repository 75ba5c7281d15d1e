/*
 * A group is one or more C processes that are fired as one, by the workers of the same cores. Most
 * groups have one process; that is no special case. A channel is inner if both its processes are in
 * the group, else outer.
 *
 * An activation acquires windows of every outer end, runs, and releases what it did. A group may
 * have a copy for each of several workers. Then activations begin and are released in order, and
 * between the two the copies run side by side. So the tokens are the same as with one copy.
 *
 * Several processes are a group if they are connected, and one before it feeds each but the first.
 * Their inner channels have the same rate at both ends and no initial tokens. Each process in turn
 * fires a block of firings, in the plan's order, as in a loop written by hand. Then the outer ends
 * are updated at once. So a token stays in the cache until it leaves the group, and many firings
 * share the cost of an activation. Stateless processes of several cores are copied together: each
 * core carries its own tokens through all of them. (Clustering of a dataflow graph: Bhattacharyya,
 * Murthy, Lee, "Software Synthesis from Dataflow Graphs", 1996.)
 *
 * No two outer ends lead to processes that are connected outside of the group. So an outer end
 * never waits for only a part of the group to fire. The group neither makes nor hides a deadlock.
 * The group is over once a process is about to end and all activations are released. From then on
 * each process is a group of its own and goes on where this one stopped. Until then only the group
 * uses the ends of its processes.
 *
 * A periodic process is a group by itself. An activation of it has at most the firings left of the
 * release (rt/host/timer.h), and none before the next release.
 *
 * An activation is asked to end early through the process that takes long (net.h). It is then
 * suspended: its firings are released in turn, and a worker resumes it for as many firings as the
 * pace allows. With one process this is the first worker that looks, with several the copy's own.
 * The processes before the one that was asked are ahead in the block. The others catch up, and the
 * firings that all have done are released.
 *
 * Thread: the main thread finds the groups before any process runs. Then a group belongs to its
 * worker, or, of several workers, to the one that claimed it (acquire/release). A running copy
 * belongs to the worker that began or resumed it.
 */
#pragma once

#include "rt/base/pace.h"
#include "rt/host/actor.h"
#include "rt/host/claim.h"
#include "rt/host/overlay.h"

/* The data for firing a block. They lie together, since short blocks follow each other fast. */
struct dal_step {
    void (*run)(DALProcess *p, struct dal_activation *a); /* the process's own */
    struct dal_copy *copy;
    uint64_t done; /* firings in a block that was cut short; see struct dal_group_copy */
};

/* An activation of a group with copies, from its begin to its release. One that has run as asked
 * gives its copy back, and is held until all before it are released: its worker goes on. */
struct dal_held {
    int copy; /* which one runs it, or -1 */
    uint64_t firings, blocks;
    unsigned char **windows; /* the first firing's, one an outer end */
};

/* One activation of a group. It runs the copies with the same number of all processes. */
struct dal_group_copy {
    /* Windows of the processes' activations: one for each outer end, then two for each inner
     * channel. */
    _Alignas(64) struct dal_window **windows;
    struct dal_step *steps; /* one a process */
    uint64_t asked;         /* firings of each process that windows are held for */
    uint64_t done;          /* firings of these that all processes have done, not yet released */
    uint64_t goal;          /* firings of these to do in this run */
    uint64_t blocks;        /* done */
    uint64_t partial;       /* firings of a block cut short that the last process has still to do; 0
                              without one. Each process has done at least as many as the next; windows
                              stand where these firings begin */
    uint64_t into;          /* firings of that block before them */
    int last;               /* the process that did not finish its block, or -1 */
    uint64_t number;        /* of the activation */
    uint64_t first;         /* firings of each process that began before those of `done` */
    int begun;              /* True from its begin until it is released or held. */
    int running;
    int early;     /* True when it was cut short in this run. */
    int suspended; /* True when it waits to be resumed. */
};

/* Firings and blocks that were released but not yet counted for processes and inner channels. With
 * several processes they are counted now and then. */
struct dal_uncounted {
    uint64_t firings, blocks;
    int64_t since_ns;
};

struct dal_group {
    struct dal_actor actor; /* its ends are the outer ones */
    int by_phase;           /* True for one process fired by phases (rt/host/phase.h). */
    struct dal_overlays overlays;
    struct dal_group_copy *copies;
    int copy_count;   /* one for each worker, or the shadow copies of a single process */
    uint64_t block;   /* most firings of a process in a row */
    _Atomic int over; /* True when it is not fired any more; its processes may be groups now. */

    _Alignas(64) struct dal_claim claim; /* of the worker that begins or releases */
    _Atomic int more;      /* True when the last begin left enough for another copy's; a hint. */
    _Atomic int at_work;   /* True while an activation is under way; for the monitor. */
    int ending;            /* True when no activation begins any more. */
    struct dal_held *held; /* activation n is at n % held_count; NULL for one copy */
    int held_count;
    uint64_t begun, done;      /* activations */
    uint64_t started;          /* firings of each process that began */
    _Atomic uint64_t released; /* firings; for rt/watch/throttles.h */
    int suspended;             /* activations that wait to be resumed */
    struct dal_pace pace;      /* firings of each process in one activation */
    struct dal_uncounted uncounted;
};

/* The processes of a network, as its table has them: channels name them by their index. */
struct dal_process_list {
    struct dal_process *processes;
    int count;
};

struct dal_groups {
    struct dal_group **list; /* the groups that workers fire, in the plan's order */
    int count;
    struct dal_group *alone;    /* one for each process, also for those in a larger group */
    struct dal_group *together; /* the groups of several processes */
    int alone_count, together_count;
    struct dal_member *members; /* of all groups */
};

/* Finds the groups of a network whose processes are linked. Each C or KPN process is in one group
 * of the list. Returns DAL_OK or DAL_ERR_NOMEM; the caller finishes the groups either way. */
int dal_groups_find(struct dal_groups *groups, const struct dal_process_list *all);
void dal_groups_finish(struct dal_groups *groups);

/* Functions shared by the files of this folder. */

static inline struct dal_held *dal__group_held(const struct dal_group *group, uint64_t activation)
{
    return &group->held[activation % (uint64_t)group->held_count];
}

/* Returns the copy of an activation that has begun, or NULL if it is held. Most groups have one
 * copy and need no division. */
static inline struct dal_group_copy *dal__group_copy_of(const struct dal_group *group,
                                                        uint64_t activation)
{
    int number = group->copy_count == 1 ? 0 : dal__group_held(group, activation)->copy;
    return number < 0 ? NULL : &group->copies[number];
}

static inline int dal__group_copy_number(const struct dal_group *group,
                                         const struct dal_group_copy *copy)
{
    return (int)(copy - group->copies);
}

static inline struct dal_process *dal__member(const struct dal_group *group, int number)
{
    return group->actor.members[number].process;
}

static inline int dal_group_is_over(const struct dal_group *group)
{
    return atomic_load_explicit(&group->over, memory_order_acquire);
}

/* Returns how many processes of a group have not ended. */
static inline int dal_group_alive(const struct dal_group *group)
{
    int i, alive = 0;
    if (group->actor.count > 1 && !dal_group_is_over(group))
        return group->actor.count;
    for (i = 0; i < group->actor.count; i++) {
        const struct dal_process *process = dal__member(group, i);
        alive += !atomic_load_explicit(&process->ended, memory_order_relaxed);
    }
    return alive;
}
