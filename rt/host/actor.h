/*
 * An actor: one or more processes that are fired as one. It is what a group of C processes
 * (rt/host/group.h), a KPN process, and a launcher (rt/device/launcher.h) have in common: members,
 * the ends that lead out, and probes.
 *
 * A round is the firings of its members that are always made together. In a group of the host each
 * member fires once in a round.
 *
 * Thread: the one that fires the actor, or has claimed its group.
 */
#pragma once

#include "rt/host/process.h"
#include "rt/host/waiter.h"

struct dal_member {
    struct dal_process *process;
    uint64_t firings; /* in a round */
};

struct dal_actor {
    struct dal_control *control;
    struct dal_member *members; /* in the plan's order */
    int count;
    struct dal_end **ends; /* the ends that lead out of it, and get the windows */
    int end_count;
    int timed;                /* True when its processes are timed. */
    int waits;                /* True when what it waits for is noted. */
    int marked;               /* True when a process of it has marks or a timer. */
    int newest;               /* True when an input of it is of kind NEWEST. */
    int noted;                /* True with any of these, or when live parameters may change. */
    struct dal_waiter waiter; /* with `waits` */
};

/* Notes what is measured of its processes, once they have got their timers and marks. Call it
 * before anything fires. */
void dal_actor_take_notes(struct dal_actor *actor);

/* Tells its processes' marks that so many rounds begin or have ended: `note` is dal_probe_begin or
 * dal_probe_end. */
void dal_actor_mark(const struct dal_actor *actor, uint64_t rounds, int64_t now_ns,
                    void (*note)(struct dal_probe *marks, uint64_t firings, int64_t now_ns));

/* Ends the wait of an actor with `waits`, as it begins a round. Tells it to its processes' marks.
 */
void dal_actor_end_wait(struct dal_actor *actor);

/* Looks once more at all inputs of kind NEWEST, when all other ends are ready. Returns whether each
 * has a token. */
int dal_actor_refresh(const struct dal_actor *actor);

/* Counts and records what its inputs of kind NEWEST have for the next firing. */
void dal_actor_begin_newest(const struct dal_actor *actor);

/* Does nobody want another round? So it is if the network is stopping and the first process is a
 * source, or if no end that leads out has a reader. */
int dal_actor_is_unwanted(const struct dal_actor *actor);
