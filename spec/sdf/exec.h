/*
 * Executes one iteration of a network without time, to see whether it deadlocks. The order of
 * firings does not matter: a firing never disables another. One thread. Internal to spec/sdf.
 */
#pragma once

#include "spec/sdf/engine.h"
#include "spec/sdf/live.h"

/* Makes an engine without time. dal__engine_begin() executes an iteration; `unfinished` is then the
 * number of processes that have not fired as often as they should. NULL without memory. */
struct dal_sdf_engine *dal__exec_create(const struct dal_sdf_graph *graph);

/* After a deadlock: finds a cycle of processes in which each waits for the next; `waits` has room
 * for all processes. Returns its length; 0 when a process is not waiting, which cannot be. */
size_t dal__exec_cycle(struct dal_sdf_engine *engine, struct dal_sdf_wait *waits);

/* After a deadlock: adds what a process waits for, tokens with their own room, or space to all
 * channels of the port. dal__engine_go_on() then executes the rest. */
void dal__exec_end_wait(struct dal_sdf_engine *engine, const struct dal_sdf_wait *wait);

/* As dal__exec_cycle(), for all such cycles: marks the processes that are in one. Returns DAL_OK or
 * DAL_ERR_NOMEM. */
int dal__exec_loops(const struct dal_sdf_engine *engine, unsigned char *in_loop);
