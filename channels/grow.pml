/*
 * Growth of a ring: somebody hands a larger ring to the producer, which moves to it when it lacks
 * space and hands it on to its reader.
 *
 * Models
 *     channels/grow.c: dal_channel_grow move_producer move_consumer dal__end_renew
 *     channels/channel.h: dal_end_ready
 *     channels/channel.c: dal_end_publish
 *     rt/watch/resolve.c: grow_now
 * Checked: the reader reads each token once, in order (assertions), and nobody sleeps for ever (no
 * invalid end state): the reader wants two tokens at a time, for which the first ring is too small.
 * Bounds: three rings, of one, two and three slots; four tokens; one reader.
 * Memory: store buffers; tokens are relaxed stores. What a ring says of itself is plain, since it
 * goes the same way as its tokens.
 */
#define TOKENS 4
#define RATE 2
#define THREADS 3
#define SLEEPERS 2
#define PRODUCER 0
#define READER 1
#define GROWER 2
#define PLACES 10
#define SLOT(ring, position) ((ring) * ((ring) + 1) / 2 + (position))
#define CAPACITY(ring) ((ring) + 1)
#define WRITTEN 6 /* `visible` of the producer's end */
#define READ 7
#define RENEWED 8 /* the producer's, 0: NULL */
#define RENEWED_READER 9
#include "rt/base/sleep.pml"

byte first_token[3];

/* Of the producer, which holds no window. */
inline move_producer(ring)
{
    unread = taken - seen;
    i = 0;
    do
    :: i == unread -> break
    :: else ->
        load_acquire(PRODUCER, SLOT(base, (position + CAPACITY(base) - unread + i) % CAPACITY(base)), token);
        store(PRODUCER, SLOT(ring, i), token, RELAXED);
        i++
    od;
    first_token[ring] = seen;
    base = ring;
    position = unread % CAPACITY(ring);
#ifdef BROKEN_RELAXED_RING
    store(PRODUCER, RENEWED_READER, ring, RELAXED);
#else
    store(PRODUCER, RENEWED_READER, ring, RELEASE);
#endif
    store(PRODUCER, RENEWED, 0, RELEASE);
    i = 0;
    token = 0;
    unread = 0
}

#define SPACE (seen + CAPACITY(base) - taken)

inline ready_producer()
{
    if
    :: SPACE == 0 ->
        load_acquire(PRODUCER, READ, seen);
        load_acquire(PRODUCER, RENEWED, renewed);
        if
        :: renewed -> move_producer(renewed)
        :: else
        fi;
        renewed = 0
    :: else
    fi
}

proctype producer()
{
    byte taken, seen, base, position, renewed, unread, i, token;
    bit was;
    do
    :: taken == TOKENS -> break
    :: else ->
        ready_producer();
        if
        :: SPACE == 0 ->
            prepare(PRODUCER, PRODUCER);
            ready_producer();
            if
            :: SPACE == 0 -> sleep(PRODUCER)
            :: else -> cancel(PRODUCER)
            fi
        :: else ->
            taken++;
            store(PRODUCER, SLOT(base, position), taken, RELAXED);
            position = (position + 1) % CAPACITY(base);
            store(PRODUCER, WRITTEN, taken, SEQ_CST);
            signal(PRODUCER, READER, was);
            was = 0
        fi
    od
}

inline move_reader()
{
#ifdef BROKEN_NOT_EXCHANGED
    store(READER, RENEWED_READER, 0, RELEASE);
#else
    exchange(READER, RENEWED_READER, 0, renewed, RELAXED);
#endif
    base = renewed;
    position = (taken - first_token[base]) % CAPACITY(base)
}

inline ready_reader()
{
    if
    :: seen - taken < RATE ->
#ifdef BROKEN_RING_FIRST
        load_acquire(READER, RENEWED_READER, renewed);
        load_acquire(READER, WRITTEN, seen);
#else
        load_acquire(READER, WRITTEN, seen);
        load_acquire(READER, RENEWED_READER, renewed);
#endif
        if
        :: renewed -> move_reader()
        :: else
        fi;
        renewed = 0
    :: else
    fi
}

inline read_token()
{
    load_acquire(READER, SLOT(base, position), token);
    taken++;
    assert(token == taken);
    position = (position + 1) % CAPACITY(base);
    token = 0
}

proctype reader()
{
    byte taken, seen, base, position, renewed, token;
    bit was;
    do
    :: taken == TOKENS -> break
    :: else ->
        ready_reader();
        if
        :: seen - taken < RATE ->
            prepare(READER, READER);
            ready_reader();
            if
            :: seen - taken < RATE -> sleep(READER)
            :: else -> cancel(READER)
            fi
        :: else ->
            read_token();
            read_token();
            store(READER, READ, taken, SEQ_CST);
            signal(READER, PRODUCER, was);
            was = 0
        fi
    od
}

/* The second time when the first ring has been taken up, at the soonest. */
proctype grower()
{
    byte ring;
    bit was;
    for (ring : 1 .. 2) {
        if
        :: memory[WRITTEN] == TOKENS -> goto over
        :: SEEN(GROWER, RENEWED) == 0
        fi;
#ifdef BROKEN_RELEASED_GROWTH
        store(GROWER, RENEWED, ring, RELEASE);
#else
        store(GROWER, RENEWED, ring, SEQ_CST);
#endif
        signal(GROWER, PRODUCER, was)
    };
over:
    skip
}

init
{
    byte t;
    atomic {
        run producer();
        run reader();
        run grower();
        for (t : 0 .. THREADS - 1) {
            run buffer(t)
        }
        t = 0
    }
}
