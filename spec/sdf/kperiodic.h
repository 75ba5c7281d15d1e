/*
 * The exact period of a part without executing it (K-Iter: Bodin et al. 2016). A K-periodic
 * schedule repeats K[p] firings (cycles, when p is cyclo-static) of each process p, so that far
 * fewer firings are looked at than an iteration has. The least period of such schedules is the
 * greatest ratio of time to iterations among the cycles of what waits for what. It is exact when K
 * covers the processes of that cycle; otherwise K grows there. Conventions are those of
 * spec/sdf/time.h. Internal to spec/sdf. One thread.
 */
#ifndef DAL_SPEC_SDF_KPERIODIC_H
#define DAL_SPEC_SDF_KPERIODIC_H

#include "spec/sdf/time.h"

/*
 * The period of one strongly connected part that has channels. `capacity` goes by
 * channels[].number. `space`, by channel of the part, may be NULL: set to 1 where the slowest
 * cycle, or a cycle that deadlocks, leads back through free space; left alone elsewhere, and when
 * the verdict is UNKNOWN. With more capacity of no other channel can the period become less.
 *
 * UNKNOWN without budget->expired means that the method is none for this part: a number or the
 * memory wanted is too large. Returns DAL_OK or DAL_ERR_NOMEM.
 */
int dal__kperiodic(const struct dal_sdf_graph *part, const uint64_t *capacity,
                   struct dal_sdf_budget *budget, struct dal_sdf_period *period,
                   unsigned char *space);

#endif
