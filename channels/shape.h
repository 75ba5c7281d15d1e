/*
 * Geometry of a ring whose windows must be contiguous in memory.
 *
 * A ring has `slots` tokens behind each other; the consumer's first window starts at slot `start`,
 * the producer's at start + d (mod slots), d being the initial tokens. With producer windows of p
 * tokens and consumer windows of c tokens there are two ways:
 *
 * - slots is a multiple of p and of c, start a multiple of c, and start + d a multiple of p. Then
 *   no window ever crosses the end. By the Chinese remainder theorem such a start exists exactly
 *   when gcd(p, c) divides d. (One copy at the first wrap, as the thesis's equation 4.3 has it, is
 *   not enough: with p = 3, c = 2, d = 1 and slots = 6 every second producer window crosses.)
 * - otherwise `tail` more slots stand behind the end, a mirror of the first ones. A window that
 *   crosses runs into the tail, and what is written in either place is copied to the other
 *   (dal_shape_moves) before the peer is told.
 *
 * Units: tokens throughout. Pure functions, any thread.
 */
#ifndef DAL_CHANNELS_SHAPE_H
#define DAL_CHANNELS_SHAPE_H

#include <stdint.h>

struct dal_shape {
    uint64_t slots; /* at least the capacity */
    uint64_t tail;  /* mirrored slots behind the end, 0 when no window can cross */
    uint64_t start; /* slot of the consumer's first window */
};

/* Shape for windows of p and c tokens, d initial tokens and a capacity of at least max(p, c, d);
 * all but d at least 1,
 * p and c below 2^32. Takes at most twice the capacity plus a tail of max(p, c) - 1. */
struct dal_shape dal_shape_for(uint64_t p, uint64_t c, uint64_t d, uint64_t capacity);

/* The same for several consumers of one ring, with windows of rates[0] .. rates[count - 1] tokens:
 * their first windows start at the same slot, and the tail is long enough for each. */
struct dal_shape dal_shape_for_all(uint64_t p, const uint64_t *rates, int count, uint64_t d,
                                   uint64_t capacity);
/* How many firings' windows lie in one that is asked for at once. */
struct dal_windows {
    uint64_t producer, consumer; /* most firings; 0 as 1 */
    uint64_t most_slots;         /* no longer a ring for the sake of more than one firing */
};

/*
 * The same for windows of several firings, as launches have them, which should not be cut short at
 * the ring's end: the ring takes whole numbers of the largest windows, or, where initial tokens do
 * not let them lie so, it has a tail for them. A window that is not the largest may still be cut
 * when there is no tail; the one after it lies right again.
 */
struct dal_shape dal_shape_elastic(uint64_t p, uint64_t c, uint64_t d, uint64_t capacity,
                                   struct dal_windows windows);

/* A copy of `count` slots that keeps ring and tail equal; the ranges do not overlap. */
struct dal_move {
    uint64_t from, to, count;
};

/* The copies (0 to 2) that are due after `count` tokens were written in place from slot `at` on. */
int dal_shape_moves(const struct dal_shape *shape, uint64_t at, uint64_t count,
                    struct dal_move moves[2]);

#endif
