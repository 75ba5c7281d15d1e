/*
 * What a network's table asks of time: latencies that are counted (rt/host/latency.h), and periodic
 * processes (rt/host/timer.h). Main thread, but for starting, which is of the thread that runs the
 * network.
 */
#ifndef DAL_RT_OBSERVE_TIMING_H
#define DAL_RT_OBSERVE_TIMING_H

#include "rt/network/network.h"

/* Makes both. Once it is settled what runs where, and workers and groups are made. DAL_OK or
 * DAL_ERR_NOMEM, logged; finished either way. */
int dal__timing_make(struct dal_network *network);

/* The network begins to run now: first releases count from here. Before the workers. */
void dal__timing_start(struct dal_network *network);

/* After the run: warns of latencies and deadlines that were missed. */
void dal__timing_warn(const struct dal_network *network);

/* Gives latencies back; timers and marks are their processes'. */
void dal__timing_finish(struct dal_network *network);

/* For reports: the name of a process of the network. */
static inline const char *dal__timing_name(const struct dal_network *network, int process)
{
    return network->net->processes[process].name;
}

#endif
