/*
 * Who fires: which process's function the calling thread is in, and whose a p is.
 *
 * What stands here belongs to the calling thread, but for the list of all processes, which has a
 * lock.
 */
#ifndef DAL_RT_HOST_FIRING_H
#define DAL_RT_HOST_FIRING_H

#include "rt/host/meter.h"
#include "rt/host/process.h"

struct dal_group_copy; /* rt/host/group.h */

struct dal_here {
    struct dal_process *process; /* that it is in, NULL without one; in fire of one that is in a
                                    group, instead: */
    const char *role;            /* "init" or "finish"; NULL in fire */
    struct dal_control *control; /* of the network that the thread belongs to, or NULL */
    const struct dal_group_copy *copy; /* in a step of which the thread is */
    int steps;
    struct dal_meter meter;
    uint64_t tokens, made; /* in packets of counted channels: read and written, and written */
    /* The last event of a periodic process that it has added to a trace, until the release is
     * through: the process's timer, the row and the number there. NULL without one. */
    const struct dal_timer *timer;
    struct dal_trace_row *row;
    uint64_t event;
};

/* Never NULL. */
struct dal_here *dal_here(void);

/* The process that the thread is in, NULL without one. */
struct dal_process *dal_here_process(void);

/* Says which process's function has made an end of the calling thread or of the program: `what` it
 * did. */
void dal_here_complain(const char *what);

/* From now on, and until the same with -1, a network runs: an end of the program by exit() is an
 * error, which is said, and the exit status becomes 1. _exit() goes unnoticed. */
void dal_firing_watch_exit(int change);

/* Calls init or finish, if the process has it: no port is open meanwhile. */
void dal_firing_call(struct dal_process *process, const char *role, void (*function)(DALProcess *));

/* What a code has no `run` for: as that, with the process's own p (net.h, struct dal_code). */
void dal_firing_run(DALProcess *p, struct dal_activation *a);
void dal_firing_run_phase(DALProcess *p, struct dal_activation *a);

/* Processes whose p users may have: from when their copies are there until they are taken to
 * pieces. Removing one that has not been added does nothing. */
void dal_firing_add(struct dal_process *process);
void dal_firing_remove(struct dal_process *process);

/* Is it one of them? It is not looked into. */
int dal_firing_has(const struct dal_process *process);

#endif
