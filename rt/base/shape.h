/*
 * Geometry of a ring whose windows must be contiguous in memory.
 *
 * A ring has `slots` tokens behind each other. One producer writes them, and 1 or more readers read
 * them. Reader i starts with its own number of initial tokens, d_i. The ring starts with D tokens,
 * the largest of these numbers: reader i's are the last d_i of them. Token 0 lies in slot `start`,
 * the producer's first window behind token D - 1. With producer windows of p tokens and reader
 * windows of c_i tokens there are two ways:
 *
 * - slots is a multiple of p and of every c_i; the slot of the producer's first window is a
 * multiple of p, and that of each reader's is a multiple of its c_i. Then no window ever crosses
 * the end. By the Chinese remainder theorem such a start exists exactly when it does for every two
 * of them. With one reader, it exists when gcd(p, c) divides d. (One copy at the first wrap, as
 * Scherer 2013, equation 4.3 has it, is not enough: with p = 3, c = 2, d = 1 and slots = 6 every
 * second producer window crosses.)
 * - otherwise `tail` more slots stand behind the end, a mirror of the first ones. A window that
 * crosses runs into the tail. Tokens written in either place are copied to the other
 * (dal_shape_moves) before a reader is told.
 *
 * Units: tokens throughout. Pure functions, any thread.
 */
#pragma once

#include <stdint.h>

/* Most bytes of a ring that is longer than needed, for large launches. */
#define DAL_SHAPE_MOST_BYTES (64u << 20)

struct dal_shape {
    uint64_t slots; /* at least the capacity */
    uint64_t tail;  /* mirrored slots behind the end, 0 when no window can cross */
    uint64_t start; /* slot of token 0 */
};

/* The windows of one end of a ring. */
struct dal_windows {
    uint64_t rate;    /* tokens a firing: at least 1, below 2^32 */
    uint64_t initial; /* a reader's initial tokens */
    uint64_t firings; /* most in one window; 0 as 1 */
};

/*
 * Returns the shape for a capacity of at least every rate and all initial tokens. Windows of one
 * firing are never cut. Launches have windows of several firings; the shape avoids cutting the
 * largest ones at the ring's end, with at most `most_slots` slots. The ring then takes whole
 * numbers of them, or has a tail for them where initial tokens prevent that. A smaller window may
 * still be cut when there is no tail; the one after it lies right again. Takes at most twice the
 * capacity plus a tail of the largest window, or most_slots.
 */
struct dal_shape dal_shape_for(struct dal_windows producer, const struct dal_windows *readers,
                               int count, uint64_t capacity, uint64_t most_slots);

/*
 * Returns the shape of a ring with exactly as many slots as its capacity, which is a multiple of
 * the producer's rate. So a token is written where the one `capacity` tokens before it was. Windows
 * of one firing are never cut; those of the producer end with the ring.
 */
struct dal_shape dal_shape_exactly(struct dal_windows producer, const struct dal_windows *readers,
                                   int count, uint64_t capacity);

/* A copy of `count` slots that keeps ring and tail equal; the ranges do not overlap. */
struct dal_move {
    uint64_t from, to, count;
};

/* Sets `moves` to the copies that are due after `count` tokens were written from slot `at` on,
 * which may lie in the tail. Returns their number, 0 to 2. Only these tokens are copied: others may
 * be read already. */
int dal_shape_moves(const struct dal_shape *shape, uint64_t at, uint64_t count,
                    struct dal_move moves[2]);
