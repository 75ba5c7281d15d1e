/*
 * Checks that the costs in an architecture file are of this machine, and recent. Devices are not
 * compared, since dalsynth starts no OpenCL. Main thread.
 */
#pragma once

#include "spec/model/model.h"

/* Warns if they are not. `now_s` is the time in seconds since 1970. Returns DAL_OK or
 * DAL_ERR_NOMEM. */
int dal_costs_check(struct dal_diags *diags, const struct dal_spec_measured *measured,
                    int64_t now_s);
