/*
 * Makes what a network's table asks of time: latencies to measure (rt/host/latency.h) and periodic
 * processes (rt/host/timer.h). Warns, after the run, of missed latencies and deadlines. Main
 * thread, but the thread that runs the network starts them.
 */
#pragma once

#include "rt/model/network.h"

extern const struct dal_observer dal_observe_timing;

/* Returns the latencies of an installed network, in its table's order, until it is destroyed. NULL:
 * it measures none. Any thread. */
struct dal_latency *dal__timing_latencies(const struct dal_network *network);

/* Returns the part of all iterations, in percent, that are to be in time. */
static inline double dal__timing_percentile(const struct dal_latency *latency)
{
    return 100 - latency->desc->late_ppm / 1e4;
}

/* Returns the name of a process of the network, for reports. */
static inline const char *dal__timing_name(const struct dal_network *network, int process)
{
    return network->net->processes[process].name;
}
