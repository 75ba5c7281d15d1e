/*
 * Samples the fill of all channels while a network runs, for its trace and its page (DAL_TRACE,
 * DAL_REPORT).
 *
 * A thread samples them every 0.1 ms at first. When it has no more room, it forgets every second
 * moment and samples half as often. So a run of any length has some hundred moments, and at most
 * 2^18 numbers. Nothing of a run waits for it.
 */
#pragma once

#include "rt/model/network.h"
#include "rt/trace/trace.h"

extern const struct dal_observer dal_observe_levels;

/* Returns the levels of the channels that are read on this node, or *count 0 if there are none.
 * Call it after the stop. The list belongs to the network. */
const struct dal_trace_level *dal__levels_list(const struct dal_network *network, int *count);
