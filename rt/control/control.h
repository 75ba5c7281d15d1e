/*
 * The state of a running network as a whole: going on, paused, stopping, or broken.
 *
 * Any thread may change it, and every thread looks at it between firings. A change wakes all that
 * sleep (dal_wake_signal on every sleeper). Only the controller pauses and resumes.
 */
#pragma once

#include "rt/base/error.h"
#include "rt/base/sync.h"
#include "rt/base/wake.h"

#include <stddef.h>
#include <stdint.h>

struct dal_events;

struct dal_control {
    _Atomic int stopping;       /* sources are not fired again; what was sent still arrives */
    _Atomic int broken;         /* everybody returns at once */
    _Atomic int error;          /* the first error, DAL_OK until then */
    _Atomic int paused;         /* nobody fires until it is 0 again */
    _Atomic int threads;        /* threads that fire; each is counted before it starts */
    _Atomic int resting;        /* those of them that wait for the end of a pause, or have ended */
    _Atomic int left;           /* threads of all that were counted that have ended */
    struct dal_wake end;        /* of who waits for them and for outside processes: one has ended */
    struct dal_wake **sleepers; /* set before threads start, constant then */
    size_t sleeper_count;
    _Atomic unsigned inits; /* inits of KPN processes that are over, or wait at a channel */
    /* Set before threads start, in a program of several applications; otherwise NULL. */
    struct dal_events *events; /* to the controller; woken, too, when `resting` changes */
    const char *application;   /* name */
    /* The program is not ours (include/dal_run.h): nothing ends it, handles its signals or changes
     * its folder. Set before threads start. */
    int hosted;
    int realtime; /* priority of threads that fire, 0: the usual one; set before threads start */
    _Atomic uint64_t ignored; /* events that nobody takes, where `events` is NULL */
    _Atomic unsigned told;    /* messages of dal_control_may_tell() */
};

/* May one more message be told of what firings do? There are few, so that a loop in a firing fills
 * no disk; behind the last one it is said that there may be more. Any thread may call it. */
int dal_control_may_tell(struct dal_control *control);

/* Asks for an orderly end. Async-signal-safe. */
void dal_control_stop(struct dal_control *control);

/* Ends everything now; `error` (negative) is kept if it is the first. Async-signal-safe. */
void dal_control_break(struct dal_control *control, int error);

/*
 * Lets no thread fire from now on: every thread that fires comes to rest, and device queues finish
 * their launches. Tokens stay where they are. dal_control_still() tells when.
 */
void dal_control_pause(struct dal_control *control);
void dal_control_resume(struct dal_control *control);

/* Do all threads that fire rest? Then none fires until dal_control_resume(), also none that starts
 * later. */
int dal_control_still(struct dal_control *control);

/* Count a thread that fires: before it is started, and when it ends or could not be started. The
 * second wakes who waits at `end`. */
void dal_control_enter(struct dal_control *control);
void dal_control_leave(struct dal_control *control);

/* Rests until the pause is over or the network is broken; called by a thread that fires, when it
 * sees dal_control_paused(). `wake` is the thread's own, one of the sleepers. The thread then looks
 * at dal_control_paused() again before it fires. `resting` changes (sequentially consistent)
 * between the two looks, so a thread that was counted as resting sees a new pause. */
void dal_control_rest(struct dal_control *control, struct dal_wake *wake);

static inline int dal_control_paused(struct dal_control *control)
{
    return atomic_load_explicit(&control->paused, memory_order_seq_cst);
}

static inline int dal_control_broken(struct dal_control *control)
{
    return atomic_load_explicit(&control->broken, memory_order_acquire);
}

static inline int dal_control_stopping(struct dal_control *control)
{
    return atomic_load_explicit(&control->stopping, memory_order_acquire);
}
