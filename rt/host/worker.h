/*
 * A worker: the one thread of a core. It fires whatever of its processes has tokens and space, run
 * to completion, in the plan's order, and sleeps when there is nothing to do. doc/inside.md says
 * why.
 *
 * Where a process of it is periodic (rt/host/timer.h), it sleeps until the next release at most: it
 * wakes some 50 us before, which is what waking may take, and looks for work until then.
 */
#ifndef DAL_RT_HOST_WORKER_H
#define DAL_RT_HOST_WORKER_H

#include "rt/host/group.h"
#include "rt/host/team.h"
#include "rt/base/sync.h"

struct dal_worker {
    struct dal_wake wake;
    struct dal_control *control;
    struct dal_group **groups; /* of its processes, in the plan's order; owned */
    int *numbers;              /* this worker's among those of each group; owned */
    int group_count;
    int core;             /* to pin to, negative for none */
    struct dal_team team; /* that helps it, of its processes with threads */
    int impatient;        /* others want the core: sleep soon */
    int periodic;         /* one of its processes is */
    /* What it may do for others when it has nothing to fire, NULL: nothing. Returns whether there
     * was something, by which it may have work again. */
    int (*help)(void *helped);
    void *helped;
    const char *name;
    struct dal_trace_row row;
    pthread_t thread;
    int running;
};

/* Starts the thread. DAL_OK or DAL_ERR_SYSTEM, logged. */
int dal_worker_start(struct dal_worker *worker);

/* Waits for its end: all its processes have ended, or the network is broken. */
void dal_worker_join(struct dal_worker *worker);

#endif
