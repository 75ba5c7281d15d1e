/*
 * Pool: one piece of work wakes one worker, and none while another worker is searching.
 *
 * Models
 *     rt/host/pool.c: dal_pool_tell dal_search_begin dal_search_last dal__search_left
 *     rt/host/worker.c: sleep_for_work work_until_end
 * Checked: two pieces of work are under way at the same time, though they come while workers
 * search, fall asleep or sleep: a piece is done only once somebody has the other one, too. So
 * nobody may rely on one who has found something else (no invalid end state).
 * Bounds: two workers, two pieces, which one thread makes.
 * Memory: store buffers.
 */
#define WORKERS 2
#define PIECES 2
#define THREADS (WORKERS + 1)
#define SLEEPERS WORKERS
#define PLACES (PIECES + 1)
#define SEARCHING PIECES
#include "rt/base/sleep.pml"

#define MAKER WORKERS

byte found; /* pieces that somebody has */

inline tell(t)
{
#ifdef BROKEN_ACQUIRE_SEARCHING
    load_acquire(t, SEARCHING, value);
#else
    load_seq_cst(t, SEARCHING, value);
#endif
    if
    :: value == 0 ->
        signal(t, 0, was);
        if
        :: was
        :: else -> signal(t, 1, was)
        fi
    :: else
    fi;
    value = 0;
    was = 0
}

/* Looks for both pieces, and has the first that is there. */
inline look(w)
{
    mine = 0;
    load_acquire(w, 0, value);
    if
    :: value -> exchange(w, 0, 0, mine, RELAXED)
    :: else
    fi;
    if
    :: mine
    :: else ->
        load_acquire(w, 1, value);
        if
        :: value -> exchange(w, 1, 0, mine, RELAXED)
        :: else
        fi
    fi;
    value = 0
}

inline stop_counting(w)
{
    if
    :: counts -> fetch_add(w, SEARCHING, -1, SEQ_CST)
    :: else
    fi;
    counts = 0
}

/* What was found takes until somebody has the other piece. */
inline work(w)
{
#ifdef BROKEN_TELLS_BEFORE
    tell(w);
    stop_counting(w);
#else
    stop_counting(w);
#ifndef BROKEN_TELLS_NOBODY
    tell(w);
#endif
#endif
    found++;
    found == PIECES
}

proctype worker(byte w)
{
    byte value;
    bit mine, counts, was;
    do
    :: found == PIECES -> break
    :: else ->
        fetch_add(w, SEARCHING, 1, SEQ_CST);
        counts = 1;
        look(w);
        if
        :: !mine ->
#ifdef BROKEN_LOOKS_BEFORE
            prepare(w, w);
            look(w);
            stop_counting(w);
#else
            stop_counting(w);
            prepare(w, w);
            look(w);
#endif
            if
            :: mine || found == PIECES -> cancel(w)
            :: else -> sleep(w)
            fi
        :: else
        fi;
        if
        :: mine -> work(w)
        :: else -> stop_counting(w)
        fi
    od;
    stop_counting(w);
    signal(w, 0, was);
    signal(w, 1, was)
}

proctype maker()
{
    byte value;
    bit was;
    store(MAKER, 0, 1, SEQ_CST);
    tell(MAKER);
    store(MAKER, 1, 1, SEQ_CST);
    tell(MAKER)
}

init
{
    byte t;
    atomic {
        run worker(0);
        run worker(1);
        run maker();
        for (t : 0 .. THREADS - 1) {
            run buffer(t)
        }
        t = 0
    }
}
