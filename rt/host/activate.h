/*
 * Workers activate groups (rt/host/group.h): windows are acquired, a copy runs, and its firings are
 * released.
 */
#pragma once

#include "rt/host/group.h"

extern const struct dal_process_ops dal_process_c;

/* A worker's ways to look for something to do. */
enum dal_pass {
    DAL_PASS_OWN,  /* leaves other workers' shadow copies to them */
    DAL_PASS_ALL,  /* looks at all copies */
    DAL_PASS_LAST, /* looks at all copies, and then sleeps if there is nothing (rt/host/claim.h) */
};

/*
 * Fires the processes of a group as often as possible without taking long. Returns 1 if it fired,
 * has just ended, or must be looked at again; 0 if there was nothing to do. Calls init before the
 * first firing and finish after the last. Errors end the network through the processes' control.
 *
 * `number` is the calling worker's among those of the processes, `row` its own. Shadow copies of
 * one process go round the workers, so that tokens stay in one core's cache.
 */
int dal_group_activate(struct dal_group *group, int number, enum dal_pass pass,
                       struct dal_trace_row *row);
