/*
 * Wake and sleep: one thread waits for work, others make some and signal.
 *
 * Models
 *     rt/base/wake.c: dal_wake_prepare dal_wake_cancel dal_wake_wait dal_wake_signal
 *     channels/channel.c: dal_end_publish
 *     rt/host/worker.c: sleep_for_work
 * Checked: nobody sleeps for ever while there is work (no invalid end state).
 * Bounds: three signallers with one piece of work each; sleeps have no limit of time.
 * Memory: store buffers. Looks for work are acquire loads, as in dal_end_ready(). The futex
 * compares and sleeps in one step, as the kernel says.
 */
#define SIGNALLERS 3
#define THREADS (SIGNALLERS + 1)
#define PLACES (SIGNALLERS + 2)
#define WAITING SIGNALLERS
#define SEQUENCE (SIGNALLERS + 1)
#include "rt/base/memory.pml"

#define WAITER SIGNALLERS

bit asleep;

inline look()
{
    load_acquire(WAITER, 0, seen);
    found = seen;
    load_acquire(WAITER, 1, seen);
    found = found + seen;
    load_acquire(WAITER, 2, seen);
    found = found + seen;
    seen = 0
}

inline prepare()
{
#ifdef BROKEN_SEQUENCE_AFTER
    store(WAITER, WAITING, 1, SEQ_CST);
    load_acquire(WAITER, SEQUENCE, sequence);
#else
    load_acquire(WAITER, SEQUENCE, sequence);
    store(WAITER, WAITING, 1, SEQ_CST);
#endif
#ifndef BROKEN_NO_FENCE
    fence(WAITER)
#endif
}

inline futex_wait()
{
    atomic {
        stores[WAITER].strict == 0;
        asleep = (memory[SEQUENCE] == sequence -> 1 : 0)
    };
    !asleep
}

inline signal(t)
{
#ifdef BROKEN_ACQUIRE_WAITING
    load_acquire(t, WAITING, waits);
#else
    load_seq_cst(t, WAITING, waits);
#endif
    if
    :: waits ->
#ifdef BROKEN_CLEARED_BEHIND
        fetch_add(t, SEQUENCE, 1, SEQ_CST);
        store(t, WAITING, 0, RELAXED);
#else
        store(t, WAITING, 0, RELAXED);
#ifdef BROKEN_RELAXED_ADD
        fetch_add(t, SEQUENCE, 1, RELAXED);
#else
        fetch_add(t, SEQUENCE, 1, SEQ_CST);
#endif
#endif
        asleep = 0
    :: else
    fi
}

proctype signaller(byte t)
{
    bit waits;
#ifdef BROKEN_RELEASED_WORK
    store(t, t, 1, RELEASE);
#else
    store(t, t, 1, SEQ_CST);
#endif
    signal(t)
}

proctype waiter()
{
    byte done, found, seen, sequence;
    do
    :: done == SIGNALLERS -> break
    :: else ->
        look();
        if
        :: found > done -> done = found
        :: else ->
            prepare();
#ifndef BROKEN_NO_SECOND_LOOK
            look();
#endif
            if
            :: found == done -> futex_wait()
            :: else
            fi;
            store(WAITER, WAITING, 0, RELAXED)
        fi
    od
}

init
{
    byte t;
    atomic {
        for (t : 0 .. SIGNALLERS - 1) {
            run signaller(t)
        }
        run waiter();
        for (t : 0 .. THREADS - 1) {
            run buffer(t)
        }
        t = 0
    }
}
