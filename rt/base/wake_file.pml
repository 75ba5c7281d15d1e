/*
 * Wake and sleep with a file in the thread's place: one thread polls it between its calls, others
 * make work and signal.
 *
 * Models
 *     rt/base/wake.c: dal_wake_arm dal_wake_show dal_wake_cancel dal_wake_signal
 *     rt/kpn/call.c: arm_file set_file
 * Checked: nobody polls for ever while there is work (no invalid end state).
 * Bounds: three signallers with one piece of work each; polls have no limit of time.
 * Memory: store buffers. The kernel takes a lock to add to the file and to empty it. So an addition
 * goes behind all stores of its thread; to empty it only behind those of the file.
 */
#define SIGNALLERS 3
#define THREADS (SIGNALLERS + 1)
#define PLACES (SIGNALLERS + 2)
#define WAITING SIGNALLERS
#define FILE (SIGNALLERS + 1)
#include "rt/base/memory.pml"

#define POLLER SIGNALLERS

inline look()
{
    load_acquire(POLLER, 0, seen);
    found = seen;
    load_acquire(POLLER, 1, seen);
    found = found + seen;
    load_acquire(POLLER, 2, seen);
    found = found + seen;
    seen = 0
}

inline take_all()
{
    exchange(POLLER, FILE, 0, seen, RELAXED);
    seen = 0
}

inline arm()
{
#ifdef BROKEN_EMPTIED_BEHIND
    store(POLLER, WAITING, 1, SEQ_CST);
    fence(POLLER);
    take_all()
#else
    take_all();
    store(POLLER, WAITING, 1, SEQ_CST);
#ifndef BROKEN_NO_FENCE
    fence(POLLER)
#endif
#endif
}

proctype signaller(byte t)
{
    bit waits;
#ifdef BROKEN_RELEASED_WORK
    store(t, t, 1, RELEASE);
#else
    store(t, t, 1, SEQ_CST);
#endif
    load_seq_cst(t, WAITING, waits);
    if
    :: waits ->
#ifdef BROKEN_SHOWN_FIRST
        fetch_add(t, FILE, 1, SEQ_CST);
        store(t, WAITING, 0, RELAXED)
#else
        store(t, WAITING, 0, RELAXED);
        fetch_add(t, FILE, 1, SEQ_CST)
#endif
    :: else
    fi
}

/* Each round is a call that takes all work, and what makes the file say what the next one finds. */
proctype poller()
{
    byte done, found, seen;
    bit shown;
    do
    :: done == SIGNALLERS -> break
    :: else ->
        look();
        done = found;
        look();
        if
        :: found == done ->
#ifndef BROKEN_STILL_SHOWN
            shown = 0;
#endif
            arm();
#ifndef BROKEN_NO_SECOND_LOOK
            look();
#endif
            if
            :: found > done -> store(POLLER, WAITING, 0, RELAXED)
            :: else
            fi
        :: else
        fi;
        if
        :: found > done && !shown ->
            shown = 1;
            fetch_add(POLLER, FILE, 1, SEQ_CST)
        :: else
        fi;
        if
        :: done == SIGNALLERS
        :: done < SIGNALLERS && memory[FILE] > 0
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
        run poller();
        for (t : 0 .. THREADS - 1) {
            run buffer(t)
        }
        t = 0
    }
}
