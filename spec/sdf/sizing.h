/*
 * Finds capacities, in tokens or bytes: the fewest with which a network is live, those with which
 * it is as fast as it can be, and those in between. One thread.
 */
#pragma once

#include "spec/sdf/time.h"

/* Input of the search. Channels of one port have one capacity, which is searched for and counted
 * once. A port that feeds its own process alone is not counted: it keeps its given size, or has no
 * limit. */
struct dal_sdf_sizing {
    const struct dal_sdf_graph *graph; /* of a whole network */
    const uint64_t *fixed;             /* by channel: a capacity that is not to change, or 0 */
    const uint64_t *weight; /* by channel: the cost of one token; both of a port's first */
    struct dal_sdf_budget *budget;
    const struct dal_sdf_period *unlimited; /* with no limits but the fixed ones; NULL: not known */
};

struct dal_sdf_buffers {
    int found;          /* 0: there are none, or none was found in time */
    uint64_t *capacity; /* by channel; DAL_SDF_UNLIMITED where a channel to itself has no size */
    uint64_t total;     /* cost of those that are not fixed */
    uint64_t least;     /* no capacities cost less than this; equal to total when proven */
    struct dal_sdf_period period;
};

/* Accepts zeroed buffers. */
void dal_sdf_buffers_finish(struct dal_sdf_buffers *buffers);

/*
 * Finds the cheapest capacities with which an iteration can be executed: every channel's lower
 * bound, if that is live. Otherwise it repairs the bounds where the iteration blocks, and searches
 * for less until that is proven or the budget ends. `found` is 0 when no capacities help: then
 * tokens are missing. Returns DAL_OK or DAL_ERR_NOMEM. The caller finishes `result` in both cases.
 */
int dal_sdf_minimum(const struct dal_sdf_sizing *sizing, struct dal_sdf_buffers *result);

/* Finds the least of all periods: that with no limits but the fixed ones. Returns DAL_OK or
 * DAL_ERR_NOMEM. */
int dal_sdf_unlimited(const struct dal_sdf_sizing *sizing, struct dal_sdf_period *period);

/*
 * Finds the cheapest capacities with the least period that there is (given the fixed ones), which
 * is left in result->period. `found` is 0 also when throughput has no bound.
 */
int dal_sdf_fastest(const struct dal_sdf_sizing *sizing, struct dal_sdf_buffers *result);

/* Most points of a front without an end. */
enum { DAL_SDF_MOST_POINTS = 1000 };

/* Points of capacities, ascending in cost: nothing cheaper is as fast. The last is as fast as can
 * be. */
struct dal_sdf_front {
    struct dal_sdf_buffers *points;
    size_t count, room;
    int complete;     /* true unless full or the budget ended; the points are right in any case */
    int full;         /* there are as many as are kept */
    uint64_t reached; /* only points that cost less than this are known */
};

/* Finds the front. `least` comes from dal_sdf_minimum(), `target` is the period of
 * dal_sdf_fastest(). When that is UNBOUNDED the front has no end: it is full after
 * DAL_SDF_MOST_POINTS. */
int dal_sdf_pareto(const struct dal_sdf_sizing *sizing, const struct dal_sdf_buffers *least,
                   struct dal_sdf_period target, struct dal_sdf_front *front);
void dal_sdf_front_finish(struct dal_sdf_front *front);
