/*
 * What a rank says and hears, one step after the other: internals of rt/nodes, whose contract of
 * threads and locks is in rt/nodes/nodes.h.
 */
#ifndef DAL_RT_NODES_STEP_H
#define DAL_RT_NODES_STEP_H

#include "rt/nodes/nodes.h"

/* Logs why the link has failed, the first time. Returns DAL_ERR_NODE. */
int dal__nodes_complain(struct dal_nodes *nodes);

int dal__nodes_is_peer(const struct dal_nodes *nodes, int rank);

/* To one rank, if what was said before has been sent. DAL_OK or the link's error. */
int dal__say_to(struct dal_nodes *nodes, int rank, enum dal_say say, uint64_t number);

/* DAL_OK or a negative code, logged. */
int dal__say_to_all(struct dal_nodes *nodes, enum dal_say say, uint64_t number);

/* The first error of this rank; breaks its control. */
void dal__nodes_note_error(struct dal_nodes *nodes, int status);

/* Whatever can be done without waiting. Returns whether something has moved; errors are noted. */
int dal__nodes_step(struct dal_nodes *nodes);

/* Nothing has moved: for how long to sleep, 0 to look again at once. */
int64_t dal__idle_nap(struct dal_idleness *idle);

/* After a step that moved nothing: yields, later sleeps. */
void dal__nodes_idle(struct dal_nodes *nodes, struct dal_idleness *idle, int moved);

int dal__all_have_said(const struct dal_nodes *nodes, enum dal_say say);
int dal__all_are_over(const struct dal_nodes *nodes);
int dal__anyone_is_gone(const struct dal_nodes *nodes);

/* Has everything been sent, and received? */
int dal__all_rest(const struct dal_nodes *nodes);

#endif
