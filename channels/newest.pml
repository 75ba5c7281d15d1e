/*
 * Channels of the newest token, as the monitor sees them: a reader takes a token, while the writer
 * waits for what the reader sends back. The monitor looks twice, at any time. It must not find that
 * they wait for each other.
 *
 * Models
 *     channels/newest.c: take_fresh take_named dal__newest_look dal__newest_publish dal_newest_see
 *     rt/watch: dal_look_take dal_look_list
 * Checked: two looks do not both find that each process waits for the other (assertion), and both
 * come to their end.
 * Bounds: two tokens each way, of which the first one back is there at the beginning; live, or a
 * replay of a run in which each token was read.
 * Memory: a store buffer for the reader. All stores of the writer but the first are releases, so a
 * buffer would only make it slower. The monitor reads one by one: what processes do, then both
 * channels, in either order. A process that has ended counts as one at work.
 */
#define TOKENS 2
#define THREADS 1
#define READER 0
#define PLACES 9
#define MIDDLE 0 /* 1: FRESH */
#define PUBLISHED 1
#define TAKEN 2
#define WAITS 3 /* the reader's */
#define WRITTEN 4
#define BACK_WRITTEN 5
#define BACK_READ 6
#define READER_WORKS 7
#define WRITER_WORKS 8
#include "rt/base/memory.pml"

#ifdef BROKEN_RELAXED_TAKE
#define TAKE RELAXED
#else
#define TAKE SEQ_CST
#endif

bit replay, back_first;

#define IS_THERE (replay -> SEEN(READER, PUBLISHED) != taken : SEEN(READER, MIDDLE))

inline take()
{
#ifndef BROKEN_WAITS_BEHIND
    store(READER, WAITS, 0, RELAXED);
#endif
    taken++;
    if
    :: replay -> store(READER, TAKEN, taken, TAKE)
    :: else ->
        exchange(READER, MIDDLE, 0, fresh, TAKE);
        fresh = 0
    fi
#ifdef BROKEN_WAITS_BEHIND
    ;
    store(READER, WAITS, 0, RELAXED)
#endif
}

proctype reader()
{
    byte fired, taken, fresh;
    do
    :: fired == TOKENS -> break
    :: else ->
        if
        :: IS_THERE -> take()
        :: else ->
            store(READER, WAITS, 1, RELAXED);
            IS_THERE;
            take()
        fi;
        fired++;
        store(READER, READER_WORKS, 1, RELAXED);
        store(READER, BACK_WRITTEN, fired, SEQ_CST);
        store(READER, READER_WORKS, fired == TOKENS, RELEASE)
    od
}

proctype writer()
{
    byte fired;
    do
    :: fired == TOKENS -> break
    :: else ->
        memory[BACK_WRITTEN] >= fired;
        fired++;
        memory[WRITER_WORKS] = 1;
        memory[BACK_READ] = fired;
        if
        :: replay -> memory[PUBLISHED] = fired
        :: else -> memory[MIDDLE] = 1
        fi;
        memory[WRITTEN] = fired;
        memory[WRITER_WORKS] = fired == TOKENS
    od
}

#ifdef BROKEN_ONE_LOOK
#define LOOKS 1
#else
#define LOOKS 2
#endif

/* Otherwise one of them does not wait. */
inline go_on_if(condition)
{
    if
    :: condition
    :: else -> goto over
    fi
}

/* What is counted is the same in both looks. */
inline look_at(place, first)
{
    now = memory[place];
    go_on_if(look == 1 || now == first);
    first = now
}

inline look_back()
{
    look_at(BACK_WRITTEN, back);
    go_on_if(memory[BACK_READ] == back + 1)
}

inline look_at_newest()
{
    look_at(WRITTEN, written);
#ifdef BROKEN_WAITS_FIRST
    waits = memory[WAITS];
#endif
    if
    :: replay ->
        now = memory[TAKEN];
        now = memory[PUBLISHED] != now
    :: else -> now = memory[MIDDLE]
    fi;
#ifndef BROKEN_WAITS_FIRST
    waits = memory[WAITS];
#endif
    go_on_if(written == 0 || (!now && waits))
}

proctype monitor()
{
    byte look, now, back, written;
    bit waits;
    for (look : 1 .. LOOKS) {
        go_on_if(!memory[READER_WORKS]);
        go_on_if(!memory[WRITER_WORKS]);
        if
        :: back_first ->
            look_back();
            look_at_newest()
        :: else ->
            look_at_newest();
            look_back()
        fi
    }
    assert(false);
over:
    look = 0;
    d_step {
        now = 0;
        back = 0;
        written = 0;
        waits = 0
    }
}

init
{
    atomic {
        if
        :: replay = 0
        :: replay = 1
        fi;
        if
        :: back_first = 0
        :: back_first = 1
        fi;
        run reader();
        run writer();
        run monitor();
        run buffer(READER)
    }
}
