/*
 * Pause and resume: the controller lets nobody fire, waits until all rest, and lets them go on.
 *
 * Models
 *     rt/control/control.c: dal_control_pause dal_control_resume dal_control_still dal_control_rest
 *     rt/control/control.c: add_resting dal_control_leave dal_control_break wake_all
 *     rt/host/worker.c: work_until_end sleep_for_work
 *     rt/app/ranks.c: dal__ranks_wait
 * Checked: nobody fires while the controller has been told that all rest (assertion); worker and
 * controller do not sleep for ever (no invalid end state).
 * Bounds: two workers, two pauses, and the end by a break, with workers at rest or not; a worker
 * fires at any time, or finds nothing.
 * Memory: store buffers. `broken` is looked at by acquire loads.
 */
#define WORKERS 2
#define PAUSES 2
#define THREADS (WORKERS + 1)
#define SLEEPERS (WORKERS + 1)
#define PLACES 3
#define PAUSED 0
#define BROKEN 1
#define RESTING 2
#include "rt/base/sleep.pml"

#define CONTROLLER WORKERS

bit still; /* the controller relies on it */
bit firing[WORKERS];

inline add_resting(t, change)
{
    fetch_add(t, RESTING, change, SEQ_CST);
#ifndef BROKEN_SILENT_REST
    signal(t, CONTROLLER, value)
#endif
}

inline rest(w)
{
    add_resting(w, 1);
    do
    :: prepare(w, w);
#ifdef BROKEN_NO_SECOND_LOOK
        sleep(w);
#endif
        load_seq_cst(w, PAUSED, value);
        if
        :: !value -> break
        :: else
        fi;
        load_acquire(w, BROKEN, value);
        if
        :: value -> break
        :: else -> sleep(w)
        fi
    od;
    cancel(w);
    value = 0;
    add_resting(w, -1);
    value = 0
}

inline fire(w)
{
    firing[w] = 1;
    assert(!still);
    firing[w] = 0
}

proctype worker(byte w)
{
    bit value, over;
    do
    :: over -> break
    :: else ->
        load_acquire(w, BROKEN, over);
        load_seq_cst(w, PAUSED, value);
        if
        :: over
        :: !over && value ->
            rest(w)
#ifdef BROKEN_NO_LOOK_BEHIND
            ;
            fire(w)
#endif
        :: !over && !value ->
            if
            :: fire(w)
            :: prepare(w, w);
                load_seq_cst(w, PAUSED, value);
                load_acquire(w, BROKEN, over);
                if
                :: over || value -> cancel(w)
                :: else -> sleep(w)
                fi
            fi
        fi;
        value = 0
    od;
    add_resting(w, 1)
}

inline wake_all()
{
    signal(CONTROLLER, 0, value);
    signal(CONTROLLER, 1, value);
    value = 0
}

#ifdef BROKEN_RELEASED_PAUSE
#define CHANGE RELEASE
#else
#define CHANGE SEQ_CST
#endif

inline wait_until_still()
{
    do
    :: prepare(CONTROLLER, CONTROLLER);
        load_seq_cst(CONTROLLER, RESTING, resting);
        if
        :: resting == WORKERS -> break
        :: else -> sleep(CONTROLLER)
        fi
    od;
    cancel(CONTROLLER);
    resting = 0
}

proctype controller()
{
    byte pauses, resting;
    bit value;
    for (pauses : 1 .. PAUSES) {
        store(CONTROLLER, PAUSED, 1, CHANGE);
        wake_all();
        if
        :: wait_until_still();
            still = 1;
            still = 0
        :: skip /* an error ends it meanwhile, or it is resumed by another notice */
        fi;
        if
        :: store(CONTROLLER, PAUSED, 0, CHANGE);
            wake_all()
        :: pauses == PAUSES
        fi
    };
    store(CONTROLLER, BROKEN, 1, CHANGE);
    wake_all()
}

init
{
    byte t;
    atomic {
        run worker(0);
        run worker(1);
        run controller();
        for (t : 0 .. THREADS - 1) {
            run buffer(t)
        }
        t = 0
    }
}
