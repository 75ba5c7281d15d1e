/* How fast a mapping really is: its program is built, run and looked at. One thread. */
#ifndef DAL_SYNTH_PROGRAM_MEASURE_H
#define DAL_SYNTH_PROGRAM_MEASURE_H

#include "synth/program/applications.h"
#include "synth/program/profile.h"

/*
 * Of one network that is planned: builds its program in a folder, whose parent is there. *path is
 * that of the program; the caller frees it. All must be on one node, and no device or kernel be
 * missing. DAL_OK; DAL_ERR_BUILD or DAL_ERR_INVALID, said or in diags; DAL_ERR_INTERRUPTED; or
 * another code. After dal_child_guard() and dal_build_environment(), main thread.
 */
int dal_measure_build(struct dal_diags *diags, const struct dal_applications *planned,
                      const char *folder, char **path);

/*
 * Runs it, with no fallbacks, for so many seconds or to its end, and says how long an iteration
 * took (from DAL_STATS, so without the start; to a few tenths of a percent). DAL_OK; DAL_ERR_BUILD,
 * said, where it fails; DAL_ERR_INTERRUPTED; or another code. Main thread.
 */
int dal_measure_run(const struct dal_spec_network *network, const struct dal_profile_run *run,
                    double *period_ns);

#endif
