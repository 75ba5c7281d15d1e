/*
 * The handler's inbox, its sleep and its end: host threads write tokens and post the launcher that
 * reads them; the handler takes the inbox, launches, sleeps, and ends when all launchers have.
 *
 * Models
 *     rt/device/handler.c: dal_handler_post take_inbox run_tasks take_turn sleep_for_work handle_tasks
 *     rt/device/launcher.c: dal__launcher_run dal__launcher_notify
 *     channels/channel.c: dal_end_publish
 * Checked: all tokens are launched (no invalid end state: the handler does not sleep for ever); a
 * launcher is in the inbox once (assertion); when the handler's thread is gone, its devices are
 * seen to rest (assertion).
 * Bounds: two launchers, each with one writer of two tokens. A launch is complete at once, and
 * sleeps have no limit of time, as where nothing is in flight and no driver calls back.
 * Memory: store buffers. A launcher looks at its channels by acquire loads (dal_end_ready).
 */
#define LAUNCHERS 2
#define TOKENS 2
#define THREADS (LAUNCHERS + 1)
#define SLEEPERS 1
#define PLACES 6
#define VISIBLE(l) (l)
#define POSTED(l) (LAUNCHERS + l)
#define INBOX 4 /* a bit for each launcher */
#define IDLE 5
#include "rt/base/sleep.pml"

#define HANDLER LAUNCHERS
#define BIT(l) (1 << (l))

byte launched[LAUNCHERS];
bit gone;

/* By thread l, which writes to launcher l. The list is changed in one step. */
inline post(l)
{
    exchange(l, POSTED(l), 1, was, SEQ_CST);
    if
    :: was
    :: else ->
        atomic {
            stores[l].count == 0;
            assert(!(memory[INBOX] & BIT(l)));
            memory[INBOX] = memory[INBOX] | BIT(l)
        };
        signal(l, 0, was)
    fi
}

proctype writer(byte l)
{
    byte i;
    bit was;
    for (i : 1 .. TOKENS) {
        store(l, VISIBLE(l), i, SEQ_CST);
        post(l)
    }
}

inline clear_posted(l)
{
#ifdef BROKEN_POSTED_STORED
    store(HANDLER, POSTED(l), 0, SEQ_CST)
#else
    exchange(HANDLER, POSTED(l), 0, was, SEQ_CST)
#endif
}

/* Looks at the channel of launcher l, and launches what is there. */
inline run_task(l)
{
    load_acquire(HANDLER, VISIBLE(l), seen);
    assert(seen >= launched[l]);
    moved = moved | (seen > launched[l]);
    launched[l] = seen;
    seen = 0
}

/* At first all are queued, without having been posted. */
inline take_turn()
{
    moved = 0;
    exchange(HANDLER, INBOX, 0, inbox, SEQ_CST);
    for (l : 0 .. LAUNCHERS - 1) {
        if
        :: inbox & BIT(l) ->
#ifdef BROKEN_POSTED_LATE
            run_task(l);
            clear_posted(l)
#else
            clear_posted(l);
            run_task(l)
#endif
        :: else ->
            if
            :: queued & BIT(l) -> run_task(l)
            :: else
            fi
        fi
    }
    queued = 0;
    moved = moved | (inbox != 0);
    inbox = 0;
    was = 0
}

#define ALL_ENDED (launched[0] == TOKENS && launched[1] == TOKENS)

proctype handler()
{
    byte l, inbox, queued = BIT(0) | BIT(1), seen;
    bit moved, was;
    do
    :: ALL_ENDED -> break
    :: else ->
        take_turn();
        if
        :: !moved ->
            prepare(HANDLER, 0);
#ifndef BROKEN_NO_SECOND_TURN
            take_turn();
#endif
            if
            :: moved -> cancel(0)
            :: else ->
                store(HANDLER, IDLE, 1, RELEASE);
                sleep(0);
                store(HANDLER, IDLE, 0, RELEASE)
            fi
        :: else
        fi
    od;
#ifndef BROKEN_ENDS_BUSY
    store(HANDLER, IDLE, 1, RELEASE);
#endif
    gone = 1
}

/* The monitor, which goes on for as long as the rest of the network does. */
proctype monitor()
{
    gone && stores[HANDLER].count == 0;
    assert(memory[IDLE])
}

init
{
    byte t;
    atomic {
        run writer(0);
        run writer(1);
        run handler();
        run monitor();
        for (t : 0 .. THREADS - 1) {
            run buffer(t)
        }
        t = 0
    }
}
