/*
 * Are the costs that an architecture file has those of this machine, and of these days? What
 * devices it has is not asked: dalsynth starts no OpenCL. Main thread.
 */
#ifndef DAL_SYNTH_PROGRAM_COSTS_H
#define DAL_SYNTH_PROGRAM_COSTS_H

#include "spec/model/model.h"

/* Warnings, where not. `now_s` is the time in seconds since 1970. DAL_OK or DAL_ERR_NOMEM. */
int dal_costs_check(struct dal_diags *diags, const struct dal_spec_measured *measured,
                    int64_t now_s);

#endif
