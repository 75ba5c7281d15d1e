/*
 * Claim and word: two workers may fire one process, and go to sleep when it has nothing to do.
 *
 * Models
 *     rt/host/claim.h: dal_claim_try dal_claim_try_at_last dal_claim_give_up dal_claim_pass_on
 *     rt/host/activate.c: dal_group_activate claim_group
 *     rt/host/release.c: dal__group_conclude
 *     rt/host/worker.c: make_pass sleep_for_work work_until_end
 *     rt/host/process.c: notify_workers dal_process_close
 * Checked: all tokens are taken, in order and once (assertions), and no worker sleeps for ever (no
 * invalid end state).
 * Bounds: two workers, one process, two tokens.
 * Memory: store buffers. What the process has taken is the claim's to hand over: a relaxed store.
 */
#define WORKERS 2
#define TOKENS 2
#define THREADS (WORKERS + 1)
#define SLEEPERS WORKERS
#define PLACES 5
#define TAKEN 0
#define MISSED 1
#define VISIBLE 2
#define USED 3
#define ENDED 4
#include "rt/base/sleep.pml"

#define PRODUCER WORKERS

byte used; /* tokens */

inline try(w)
{
    load_acquire(w, TAKEN, value);
    if
    :: value -> mine = 0
    :: else ->
        exchange(w, TAKEN, 1, value, RELAXED);
        mine = !value
    fi
}

inline try_at_last(w)
{
    try(w);
    if
    :: mine
    :: else ->
#ifndef BROKEN_NO_WORD
#ifdef BROKEN_RELEASED_WORD
        store(w, MISSED, 1, RELEASE);
#else
        store(w, MISSED, 1, SEQ_CST);
#endif
#ifdef BROKEN_ACQUIRE_TAKEN
        load_acquire(w, TAKEN, value);
#else
        load_seq_cst(w, TAKEN, value);
#endif
        if
        :: value
        :: else ->
            exchange(w, TAKEN, 1, value, RELAXED);
            mine = !value
        fi
#endif
    fi
}

inline give_up(w)
{
#ifdef BROKEN_RELAXED_GIVE_UP
    store(w, TAKEN, 0, RELAXED)
#else
    store(w, TAKEN, 0, RELEASE)
#endif
}

/* `fired` is whether there was word. */
inline pass_on(w)
{
#ifdef BROKEN_NO_LOOK_FOR_WORD
    give_up(w)
#else
#ifdef BROKEN_RELEASED_IDLE
    store(w, TAKEN, 0, RELEASE);
#else
    store(w, TAKEN, 0, SEQ_CST);
#endif
#ifdef BROKEN_ACQUIRE_WORD
    load_acquire(w, MISSED, value);
#else
    load_seq_cst(w, MISSED, value);
#endif
    if
    :: value ->
        exchange(w, MISSED, 0, value, SEQ_CST);
        fired = value
    :: else
    fi
#endif
}

/* Under the claim. One token at a time; the last one ends the process. */
inline fire_next(w)
{
    load_acquire(w, USED, mark);
    load_acquire(w, VISIBLE, value);
    if
    :: mark < value ->
        assert(mark == used);
        used++;
        fired = 1;
        store(w, USED, mark + 1, RELAXED);
        if
        :: mark + 1 == TOKENS ->
            store(w, ENDED, 1, SEQ_CST);
            signal(w, 0, value);
            signal(w, 1, value)
        :: else
        fi
    :: else
    fi;
    mark = 0
}

inline activate(w)
{
    fired = 0;
    if
    :: last -> try_at_last(w)
    :: else -> try(w)
    fi;
    if
    :: mine ->
        fire_next(w);
        if
        :: fired -> give_up(w)
        :: else -> pass_on(w)
        fi
    :: else
    fi;
    value = 0;
    mine = 0
}

proctype worker(byte w)
{
    byte value, mark;
    bit mine, fired, last, ended;
    do
    :: ended -> break
    :: else ->
        activate(w);
        load_acquire(w, ENDED, ended);
        if
        :: !fired && !ended ->
            prepare(w, w);
            last = 1;
            activate(w);
            last = 0;
            load_acquire(w, ENDED, ended);
            if
            :: fired || ended -> cancel(w)
            :: else -> sleep(w)
            fi
        :: else
        fi;
        fired = 0
    od
}

/* Wakes one of the workers that sleep. */
proctype producer()
{
    byte i;
    bit was;
    for (i : 1 .. TOKENS) {
        store(PRODUCER, VISIBLE, i, SEQ_CST);
        signal(PRODUCER, 0, was);
        if
        :: was
        :: else -> signal(PRODUCER, 1, was)
        fi
    }
}

init
{
    byte t;
    atomic {
        run worker(0);
        run worker(1);
        run producer();
        for (t : 0 .. THREADS - 1) {
            run buffer(t)
        }
        t = 0
    }
}
