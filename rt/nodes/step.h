/*
 * The messages of a rank, step by step. rt/nodes/nodes.h has the contract of threads and locks.
 */
#pragma once

#include "rt/nodes/nodes.h"

/* Logs why the link has failed, the first time. Returns DAL_ERR_NODE. */
int dal__nodes_complain(struct dal_nodes *nodes);

/* Says something to another rank, unless the last word of that kind is still being sent. Says
 * nothing to this rank. Returns DAL_OK or the link's error. */
int dal__say_to(struct dal_nodes *nodes, int rank, enum dal_say say, uint64_t number);

/* Says something to all other ranks. Returns DAL_OK or a negative code, logged. */
int dal__say_to_all(struct dal_nodes *nodes, enum dal_say say, uint64_t number);

/* Stops this rank as another one does, which tells all. Does nothing before all are ready. */
void dal__nodes_hear_stop(struct dal_nodes *nodes);

/* Notes the first error of this rank, and breaks its control. */
void dal__nodes_note_error(struct dal_nodes *nodes, int status);

/* Does what can be done without waiting. Returns whether something has moved; errors are noted. */
int dal__nodes_step(struct dal_nodes *nodes);

/* Steps for a worker that has nothing to fire, unless somebody else steps. `nodes` is a struct
 * dal_nodes. Returns whether something has moved. Any thread, until its network's threads are
 * joined. */
int dal_nodes_help(void *nodes);

/* Returns for how long to sleep after nothing has moved; 0: look again at once. */
int64_t dal__idle_nap(struct dal_idleness *idle);

/* Yields, or later sleeps, after a step that moved nothing. */
void dal__nodes_idle(struct dal_nodes *nodes, struct dal_idleness *idle, int moved);

int dal__all_have_said(const struct dal_nodes *nodes, enum dal_say say);
int dal__all_are_over(const struct dal_nodes *nodes);
int dal__anyone_is_gone(const struct dal_nodes *nodes);

/* Returns whether everything was sent and received. */
int dal__all_rest(const struct dal_nodes *nodes);
