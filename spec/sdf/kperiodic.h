/*
 * Finds the exact period of a part without executing it (K-Iter: Bodin et al. 2016). A K-periodic
 * schedule repeats K[p] firings (cycles, when p is cyclo-static) of each process p. So far fewer
 * firings are looked at than an iteration has. The least period of such schedules is the greatest
 * ratio of time to iterations among the cycles of waiting firings. It is exact when K covers the
 * processes of that cycle; otherwise K grows there. Conventions are those of spec/sdf/time.h.
 * Internal to spec/sdf. One thread.
 */
#pragma once

#include "spec/sdf/time.h"

/*
 * Finds the period of one strongly connected part that has channels. `capacity` goes by
 * channels[].number. `space`, by channel of the part, may be NULL. It gets 1 where the slowest
 * cycle, or a cycle that deadlocks, leads back through free space. It is left alone elsewhere, and
 * when the verdict is UNKNOWN. Only more capacity of a marked channel can make the period less.
 *
 * UNKNOWN without budget->expired means that the method does not work for this part: a number or
 * the memory wanted is too large. Returns DAL_OK or DAL_ERR_NOMEM.
 */
int dal__kperiodic(const struct dal_sdf_graph *part, const uint64_t *capacity,
                   struct dal_sdf_budget *budget, struct dal_sdf_period *period,
                   unsigned char *space);
