/*
 * Finds the cheapest addition of capacity, initial tokens, or both with which a network is live.
 * Internal to spec/sdf. One thread.
 */
#pragma once

#include "spec/sdf/exec.h"

/*
 * Two numbers tell what may be added to a channel: capacity, and initial tokens, which bring their
 * own room. A list "by entry" has both numbers of all channels. Capacity is at [channel], of the
 * first one of a port for all of them; initial tokens are at [channel_count + channel].
 */
struct dal__repair {
    const struct dal_sdf_graph *graph;
    const uint64_t *capacity; /* to start from, by channel; the caller's */
    struct dal_sdf_budget *budget;
    unsigned char *allowed; /* by entry; none at first */
    uint64_t *weight;       /* by entry: the cost of one; 1 at first */
    /* Results. */
    uint64_t *more; /* by entry */
    int found;
    uint64_t total; /* cost of `more` */
    uint64_t least; /* nothing helps that costs less */
};

/* Returns DAL_OK or DAL_ERR_NOMEM; the caller finishes it in any case. */
int dal__repair_init(struct dal__repair *repair, const struct dal_sdf_graph *graph,
                     const uint64_t *capacity, struct dal_sdf_budget *budget);
void dal__repair_finish(struct dal__repair *repair);

/* Returns DAL_OK, with repair->found 0 when nothing that is allowed helps or the budget ended
 * first, or DAL_ERR_NOMEM. */
int dal__repair(struct dal__repair *repair);
