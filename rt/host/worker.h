/*
 * A worker: the one thread of a core. It fires whatever of its processes has tokens and space, run
 * to completion, in the plan's order, and sleeps when there is nothing to do.
 * doc/explanation/scheduling.md says why.
 *
 * If one of its processes is periodic (rt/host/timer.h), it sleeps at most until the next release.
 * It wakes some 50 us before, which is what waking may take, and looks for work until then.
 *
 * In real-time mode (rt/base/realtime.h) it comes before all ordinary threads. So it sleeps early.
 * Where it has used nine tenths of a core for 100 ms, it leaves the core to them for 5 ms.
 */
#pragma once

#include "rt/base/sync.h"
#include "rt/host/activate.h"
#include "rt/host/team.h"

struct dal_worker {
    struct dal_wake wake;
    struct dal_control *control;
    struct dal_group **groups; /* of its processes, in the plan's order; owned */
    int *numbers;              /* this worker's number in each group; owned */
    int group_count;
    struct dal_search search;
    int core;             /* to pin to; negative: none */
    struct dal_team team; /* its helpers, for processes with threads */
    int impatient;        /* True when others want the core: sleep soon. */
    int periodic;         /* True when one of its processes is periodic. */
    /* Does work for others when the worker has nothing to fire; NULL: none. Returns whether it did
     * some, after which the worker may have work again. */
    int (*help)(void *helped);
    void *helped;
    int64_t since_ns, used_ns; /* In real-time mode: a tick, and the core's time used by then. */
    uint64_t rests;            /* how often it has left the core to others */
    const char *name;
    struct dal_trace_row row;
    pthread_t thread;
    int running;
    int is_outside; /* it has no thread: callers stand in for its process (rt/kpn/call.h) */
};

/* Starts the thread. DAL_OK or DAL_ERR_SYSTEM, logged. */
int dal_worker_start(struct dal_worker *worker);

/* Waits for its end: all its processes have ended, or the network is broken. */
void dal_worker_join(struct dal_worker *worker);
