/*
 * Executes a network again and again, with capacities between all of its processes. Internal to
 * spec/sdf. One thread.
 */
#pragma once

#include "spec/sdf/time.h"

struct dal__evaluator {
    struct dal_sdf_parts parts;
    struct dal_sdf_engine **engines; /* one a part */
    const struct dal_sdf_graph *graph;
    uint64_t *capacity; /* of this time, the same for all channels of a port */
};

/* `capacity` tells which channels have no limit. Returns DAL_OK or DAL_ERR_NOMEM; the caller
 * finishes it in any case. */
int dal__evaluator_init(struct dal__evaluator *evaluator, const struct dal_sdf_graph *graph,
                        const uint64_t *capacity);
void dal__evaluator_finish(struct dal__evaluator *evaluator);

/* Finds the period with `capacity`, by the first channels of ports. `tight` (by these) gets what
 * holds up the slowest part. With `target`, stops at the first part that is slower. Returns
 * DAL_OK or DAL_ERR_NOMEM. */
int dal__evaluate(struct dal__evaluator *evaluator, const uint64_t *capacity,
                  struct dal_sdf_budget *budget, const struct dal_sdf_period *target,
                  struct dal_sdf_period *period, unsigned char *tight);
