/* A random network with the capacities that the analysis finds, without the analysis's types: the
 * runtime has other ones of the same names. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { ITERATIONS_MOST = 16 };

struct iterations_channel {
    int from, to;
    uint64_t produce, consume, initial;
    uint64_t capacity; /* the minimum; of a channel of a process to itself, enough */
    int is_loop;
};

struct iterations_graph {
    int processes, channels;
    uint64_t repetitions[ITERATIONS_MOST];
    struct iterations_channel list[ITERATIONS_MOST];
    int proven; /* nothing smaller is live */
};

/* The next one; 0 when it deadlocks with any capacities. */
int iterations_draw(struct iterations_graph *graph);

/* 0 .. limit - 1, the same sequence in every run */
uint64_t iterations_below(uint64_t limit);
