/*
 * Consistency and repetition vector of a graph (Lee and Messerschmitt, "Static scheduling of
 * synchronous data flow programs for digital signal processing", IEEE ToC 1987). One thread.
 */
#pragma once

#include "spec/sdf/graph.h"

/* One channel of a contradictory cycle, walked from process `from` to process `to`. */
struct dal_sdf_step {
    size_t from, to, channel;
};

/* New rates, for as few channels as possible, with which all of a graph is consistent. */
struct dal_sdf_change {
    int found;                    /* 0: none within half a second, or a rate does not fit */
    int is_smallest;              /* no fewer channels are enough */
    size_t count;                 /* channels with other rates */
    uint64_t *rate_in, *rate_out; /* by channel, as they are where nothing changes */
};

/* The reason why a graph is inconsistent: the first cycle that contradicts itself. */
struct dal_sdf_contradiction {
    struct dal_sdf_step *steps; /* NULL: no contradiction */
    size_t count;
    uint64_t near, far; /* products of the rates, as in the message; 0 when they do not fit */
    struct dal_sdf_change change;
};

/*
 * Fills in process.repetitions: the smallest positive integers q with q[producer] * rate_in ==
 * q[consumer] * rate_out for every channel, per connected component. It is exact: products are
 * checked for overflow, which is an error of its own. An inconsistent graph is an error. Its notes
 * give the cycle that has no solution, with rates and their products, and the smallest change that
 * makes the graph consistent. `contradiction`, unless it is NULL, gets the same; the caller
 * finishes it whatever is returned. Returns DAL_OK or DAL_ERR_INVALID.
 */
int dal_sdf_repetitions(struct dal_diags *diags, struct dal_sdf_graph *graph,
                        struct dal_sdf_contradiction *contradiction);
void dal_sdf_contradiction_finish(struct dal_sdf_contradiction *contradiction);
