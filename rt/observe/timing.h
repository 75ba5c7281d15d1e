/*
 * Makes what a network's table asks of time: latencies to measure (rt/host/latency.h) and periodic
 * processes (rt/host/timer.h). Warns, after the run, of missed latencies and deadlines. Main
 * thread, but the thread that runs the network starts them.
 */
#pragma once

#include "rt/model/network.h"

extern const struct dal_observer dal_observe_timing;

/* Returns the latencies of an installed network, in its table's order. */
struct dal_latency *dal__timing_latencies(const struct dal_network *network);

/* Returns the name of a process of the network, for reports. */
static inline const char *dal__timing_name(const struct dal_network *network, int process)
{
    return network->net->processes[process].name;
}
