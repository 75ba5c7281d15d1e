/*
 * random_parts.h: which nodes of a graph stand in networks within the network, and where its edges
 * cross their borders.
 *
 * Part 0 is the network itself. Any other is a connected set of nodes, in a part that has a lower
 * number. Plain values of fixed size; no errors.
 */
#pragma once

#include "test/determinism/random_graph.h"

enum { RANDOM_PARTS = 4, RANDOM_NO_PART = -1 };

struct random_parts {
    int count;                     /* 1: there are none but the network */
    int around[RANDOM_PARTS];      /* the part that a part stands in */
    int within[RANDOM_NODES];      /* by node: its part */
    int is_shared[RANDOM_EDGES];   /* by port: its edges cross borders as one, as far as they can */
    int sized_at[RANDOM_EDGES];    /* by port: enum random_sized */
    int starts_last[RANDOM_EDGES]; /* by edge: its initial tokens are on its last channel */
};

/* Which of the channels that an edge becomes say how large a token is. */
enum random_sized { RANDOM_SIZED_ALL, RANDOM_SIZED_FIRST, RANDOM_SIZED_LAST };

/* No parts, or up to RANDOM_PARTS - 1 of them, some within others. The first nodes of which is_open
 * is true stand in none. */
void random_parts_draw(struct random_parts *parts, const struct random_graph *graph,
                       struct random_dice *dice, const int *is_open);

/* Is `part` within `around`, or the same one? */
int random_parts_holds(const struct random_parts *parts, int around, int part);

/* The channel that stands for an edge in one part. */
struct random_piece {
    int is_there;           /* false: the edge has none in that part */
    int is_outermost;       /* it stands outside of the others */
    int from_part, to_part; /* the part whose port an end is, its own or one within; of a process:
                             * RANDOM_NO_PART */
    int port;               /* the number in the names of these ports */
};

struct random_piece random_parts_piece(const struct random_parts *parts,
                                       const struct random_graph *graph, int edge, int part);
