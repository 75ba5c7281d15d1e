/* How fast a mapping really is: its program is built, run and looked at. One thread. */
#ifndef DAL_SYNTH_MEASURE_H
#define DAL_SYNTH_MEASURE_H

#include "synth/applications.h"

/*
 * Of one network that is planned: builds its program in a new folder, which is removed again, runs
 * it with its own parameters for so many seconds or to its end, and says how long an iteration took
 * (from DAL_STATS, so without the start; to a few tenths of a percent). Neither devices nor kernels
 * may be missing, and all is on one node. DAL_OK; DAL_ERR_BUILD or DAL_ERR_INVALID, said or in
 * diags; DAL_ERR_INTERRUPTED; or another code. After dal_child_guard() and dal_build_environment(),
 * main thread.
 */
int dal_measure(struct dal_diags *diags, const struct dal_applications *planned, double seconds,
                double *period_ns);

#endif
