/*
 * Park: no work is left to a worker who begins none any more.
 *
 * Models
 *     rt/host/pool.c: dal_pool_tell dal_pool_park dal_search_begin dal_search_last dal_search_pass_on
 *     rt/host/worker.c: sleep_for_work work_until_end
 * Checked: a piece of work that comes while the second of two workers is parked is done: whoever
 * makes it may have relied on that one, who searched or was signalled (no invalid end state).
 * Bounds: two workers, one piece, parked once.
 * Memory: store buffers.
 */
#define WORKERS 2
#define THREADS (WORKERS + 2)
#define SLEEPERS WORKERS
#define PLACES 3
#define PIECE 0
#define SEARCHING 1
#define PARKED 2
#include "rt/base/sleep.pml"

#define MAKER WORKERS
#define PARKER (WORKERS + 1)

bit done;

inline tell(t)
{
    load_seq_cst(t, SEARCHING, value);
    if
    :: value == 0 ->
        signal(t, 0, was);
        load_acquire(t, PARKED, value);
        if
        :: was || value
        :: else -> signal(t, 1, was)
        fi
    :: else
    fi;
    value = 0;
    was = 0
}

/* Who is parked finds nothing. */
inline look(w)
{
    mine = 0;
    load_acquire(w, PARKED, value);
    if
    :: w == 1 && value
    :: else ->
        load_acquire(w, PIECE, value);
        if
        :: value -> exchange(w, PIECE, 0, mine, RELAXED)
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

/* Who is parked tells the others of what it was told. */
inline pass_on(w)
{
    load_acquire(w, PARKED, value);
    if
    :: w == 1 && value -> tell(w)
    :: else
    fi;
    value = 0
}

proctype worker(byte w)
{
    byte value;
    bit mine, counts, was;
    do
    :: done -> break
    :: else ->
        fetch_add(w, SEARCHING, 1, SEQ_CST);
        counts = 1;
        look(w);
        if
        :: !mine ->
            stop_counting(w);
#ifdef BROKEN_PASSES_ON_BEFORE
            pass_on(w);
#endif
            prepare(w, w);
            look(w);
            if
            :: mine || done -> cancel(w)
            :: else ->
#if !defined(BROKEN_PASSES_ON_BEFORE) && !defined(BROKEN_PASSES_ON_NEVER)
                pass_on(w);
#endif
                sleep(w)
            fi
        :: else
        fi;
        stop_counting(w);
        if
        :: mine -> done = 1
        :: else
        fi
    od;
    signal(w, 0, was);
    signal(w, 1, was)
}

proctype maker()
{
    byte value;
    bit was;
    store(MAKER, PIECE, 1, SEQ_CST);
    tell(MAKER)
}

proctype parker()
{
    store(PARKER, PARKED, 1, SEQ_CST)
}

init
{
    byte t;
    atomic {
        run worker(0);
        run worker(1);
        run maker();
        run parker();
        for (t : 0 .. THREADS - 1) {
            run buffer(t)
        }
        t = 0
    }
}
