/* Measures how fast a mapping really is: builds and runs its program. One thread. */
#pragma once

#include "synth/program/applications.h"
#include "synth/program/profile.h"

/*
 * Builds the program of one planned network in a folder, whose parent is there. *path is the
 * program's; the caller frees it. All processes must be on one node, and no device or kernel may be
 * missing. Returns DAL_OK; DAL_ERR_BUILD or DAL_ERR_INVALID, reported or in diags;
 * DAL_ERR_INTERRUPTED; or another code. Call it after dal_child_guard() and
 * dal_build_environment(), in the main thread.
 */
int dal_measure_build(struct dal_diags *diags, const struct dal_applications *planned,
                      const char *folder, char **path);

/*
 * Runs the program without fallbacks, for so many seconds or to its end. Tells how long an
 * iteration took; 0 if the run was too short to tell. That is from the statistics, which the
 * program writes beside itself, so without the start.
 * Returns DAL_OK; DAL_ERR_BUILD, reported, if it fails; DAL_ERR_INVALID with the reason in diags,
 * if the statistics are not those of the network; DAL_ERR_INTERRUPTED; or another code. Main
 * thread.
 */
int dal_measure_run(struct dal_diags *diags, const struct dal_spec_network *network,
                    const struct dal_profile_run *run, double *period_ns);
