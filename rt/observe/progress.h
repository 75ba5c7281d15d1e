/*
 * DAL_PROGRESS=S: every S seconds a line on standard error of how far the running network is.
 *
 * One thread, which reads counters (counters.h) that the owners go on to count, and lengths
 * (DAL_setLength). On a terminal each line takes the place of the last one.
 */
#ifndef DAL_RT_OBSERVE_PROGRESS_H
#define DAL_RT_OBSERVE_PROGRESS_H

struct dal_network;

/* Are activations and launches timed for it? */
int dal_progress_wanted(void);

/* Before the first firing. DAL_OK or a negative code, logged. On several nodes, the first one tells
 * of what is on it. */
int dal__progress_start(struct dal_network *network);
/* Behind the last firing; prints the last line. Accepts a network without. */
void dal__progress_stop(struct dal_network *network);

#endif
