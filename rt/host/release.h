/*
 * Ends activations: releases and counts their firings. Ends groups. Notes waits, releases of a
 * timer, marks of latencies, and the time that an activation took. All functions are for the holder
 * of the group's claim.
 */
#pragma once

#include "rt/host/group.h"

/* Starts every process. Returns 0 when the network broke. */
int dal__group_start(const struct dal_group *group);

/* Notes the begin of an activation, and makes the changes of live parameters that are due. Returns
 * the firings that it may have before the next change. The time of init does not count. */
uint64_t dal__note_begin(struct dal_group *group, uint64_t firings);

/* Notes that firings of all processes have been released. Another worker that sleeps may be needed
 * at the next release. */
void dal__note_end(const struct dal_group *group, uint64_t firings);

/* Adds the time that a worker spent in a copy to the processes' times. */
void dal__note_times(const struct dal_group *group, int number);

/* Releases, in order, the activations that have run. */
void dal__group_release(struct dal_group *group);

/* Accounts for the firing in which a process ended or failed. */
void dal__process_release_last(struct dal_process *process,
                               const struct dal_activation *activation);

/* Ends the group: nothing is under way, and nothing more will be. */
void dal__group_conclude(struct dal_group *group);

/* Counts, after the network broke, what activations did that were never released. Call it once all
 * firing threads are joined and each process has had its last call. */
void dal_group_settle(struct dal_group *group);
