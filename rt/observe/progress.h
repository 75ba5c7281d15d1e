/*
 * DAL_PROGRESS=S prints a line on standard error every S seconds: how far the running network is.
 *
 * One thread reads counters (counters.h), which their owners go on to count, and lengths
 * (DAL_setLength). On a terminal each line overwrites the last one.
 */
#ifndef DAL_RT_OBSERVE_PROGRESS_H
#define DAL_RT_OBSERVE_PROGRESS_H

struct dal_network;

/* Returns whether activations and launches are timed for it. */
int dal_progress_wanted(void);

/* Starts the thread before the first firing. Returns DAL_OK or a negative code, logged. On several
 * nodes, the first one tells of its own part. */
int dal__progress_start(struct dal_network *network);
/* Stops it after the last firing and prints the last line. Accepts a network without progress. */
void dal__progress_stop(struct dal_network *network);

#endif
