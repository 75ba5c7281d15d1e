/*
 * The smallest change that makes inconsistent rates consistent: other rates for as few channels as
 * possible. Internal to spec/sdf_*.c. One thread.
 */
#ifndef DAL_SPEC_SDF_CHANGE_H
#define DAL_SPEC_SDF_CHANGE_H

#include "spec/sdf/sdf.h"
#include "spec/sdf/time.h"

/*
 * What to change, in `change`. Every cycle that contradicts itself has a channel that is changed;
 * the search tries those of one cycle after the other, fewest channels first. The channels of one
 * output port keep one rate in. `found` is 0 when the budget ended before there was any change, or
 * when a rate does not fit. `is_smallest` is 0 when the search was cut off, or when a port with
 * several channels made a difference to it. Returns DAL_OK or DAL_ERR_NOMEM; the caller finishes
 * the result in both cases.
 */
int dal__change_find(struct dal_sdf_change *change, const struct dal_spec_network *network,
                     struct dal_sdf_budget *budget);

#endif
