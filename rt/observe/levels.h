/*
 * What the channels hold while a network runs, for its trace and its page (DAL_TRACE, DAL_REPORT).
 *
 * A thread looks at all of them, each 0.1 ms at first. When it has no more room, it forgets every
 * second moment and looks half as often: so there are some hundred moments of a run, however long
 * that is, and no more than 2^18 numbers. Nothing of a run waits for it.
 */
#ifndef DAL_RT_OBSERVE_LEVELS_H
#define DAL_RT_OBSERVE_LEVELS_H

#include "rt/trace/trace.h"

struct dal_network;

/* Where events are kept, from before the first firing on. DAL_OK or a negative code, logged. */
int dal__levels_start(struct dal_network *network);
/* Behind the last firing: what is in the channels then is the last that it has. */
void dal__levels_stop(struct dal_network *network);

/* Those of the channels that are read on this node, behind dal__levels_stop(); *count is 0 without
 * any. The list is the network's. */
const struct dal_trace_level *dal__levels_list(const struct dal_network *network, int *count);

/* Accepts a network without any. */
void dal__levels_finish(struct dal_network *network);

#endif
