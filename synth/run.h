/*
 * Running another program: its output is kept, and an interrupt ends it.
 */
#ifndef DAL_SYNTH_RUN_H
#define DAL_SYNTH_RUN_H

#include "synth/text.h"

/* Holds SIGINT, SIGTERM and SIGHUP back from now on, so that they take effect only where
 * dal_run_command() waits and dal_run_interrupted() looks. Once, from the main thread. Returns
 * DAL_OK or DAL_ERR_SYSTEM. */
int dal_run_guard(void);
/* The signal that came since dal_run_guard(), 0 for none. */
int dal_run_interrupted(void);

/*
 * Runs argv (found along PATH) and adds to `output` what it writes to standard output and standard
 * error, up to a MiB. Returns its exit status from 0 to 255, DAL_ERR_INTERRUPTED when a signal
 * came (the program and its children are ended first), or DAL_ERR_SYSTEM, logged, when it
 * could not be run or was killed.
 */
int dal_run_command(const char *const *argv, struct dal_text *output);

#endif
