/* What sdf_minimum.c, sdf_fastest.c and sdf_pareto.c share. */
#ifndef DAL_SPEC_SDF_SIZING_H
#define DAL_SPEC_SDF_SIZING_H

#include "spec/sdf/buffer.h"

/* Whether the capacity of a channel is looked for. */
int dal__is_free(const struct dal_sdf_sizing *sizing, size_t channel);

/* New: the lower bound of every channel that is free, the others as they are; NULL without
 * memory. */
uint64_t *dal__least_capacities(const struct dal_sdf_sizing *sizing);

/* Executes a network again and again in which all channels between processes have capacities. */
struct dal__evaluator {
    struct dal_sdf_parts parts;
    struct dal_sdf_engine **engines; /* one a part */
    size_t channel_count;
};

int dal__evaluator_init(struct dal__evaluator *evaluator, const struct dal_sdf_graph *graph,
                        const uint64_t *capacity);
void dal__evaluator_finish(struct dal__evaluator *evaluator);

/* The period with `capacity`, and in `tight` (by channel, cleared first, may be NULL) what holds up
 * the slowest part. With `target`, stops at the first part that is slower. Returns DAL_OK or
 * DAL_ERR_NOMEM. */
int dal__evaluate(struct dal__evaluator *evaluator, const uint64_t *capacity,
                  struct dal_sdf_budget *budget, const struct dal_sdf_period *target,
                  struct dal_sdf_period *period, unsigned char *tight);

#endif
