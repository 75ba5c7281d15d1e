/*
 * Makes what a network's table asks of time: latencies to measure (rt/host/latency.h) and periodic
 * processes (rt/host/timer.h). Main thread, but the thread that runs the network starts them.
 */
#ifndef DAL_RT_OBSERVE_TIMING_H
#define DAL_RT_OBSERVE_TIMING_H

#include "rt/model/network.h"

/* Makes both, once it is settled what runs where, and workers and groups exist. Returns DAL_OK or
 * DAL_ERR_NOMEM, logged; the caller finishes them either way. */
int dal__timing_make(struct dal_network *network);

/* Starts the timers before the workers: the first releases count from now. */
void dal__timing_start(struct dal_network *network);

/* Warns, after the run, of missed latencies and deadlines. */
void dal__timing_warn(const struct dal_network *network);

/* Frees the latencies; timers and marks belong to their processes. */
void dal__timing_finish(struct dal_network *network);

/* Returns the name of a process of the network, for reports. */
static inline const char *dal__timing_name(const struct dal_network *network, int process)
{
    return network->net->processes[process].name;
}

#endif
