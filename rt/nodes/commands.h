/*
 * Commands and notices that the controllers of several ranks exchange (rt/app/controller.h), over a
 * link of their own. The first rank gives a command to all others; each carries it out and answers;
 * then comes the next command. Meanwhile the others send the first one notices, one at a time: the
 * next one once the last was taken. So nothing is unbounded, and a rank's notices arrive in order,
 * before its later answer.
 *
 * The ranks have met (dal_nodes_join) for a network without processes. One thread has the link.
 * Errors of the link, and ranks that end, show in nodes->status; nothing waits for them.
 */
#pragma once

#include "rt/nodes/nodes.h"

/* Gives a command, from the first rank, when all have answered. */
void dal_command_give(struct dal_nodes *nodes, uint64_t command);
int dal_command_answered(const struct dal_nodes *nodes);
/* Returns a rank's last answer. */
uint64_t dal_command_answer_of(const struct dal_nodes *nodes, int rank);
/* Returns whether a rank has sent a notice. It stays until it is taken. */
int dal_command_notice_of(const struct dal_nodes *nodes, int rank, uint64_t *notice);
void dal_command_take_notice(struct dal_nodes *nodes, int rank);

/* Return whether there is a command to carry out, and take it, once. For the other ranks. */
int dal_command_is_given(const struct dal_nodes *nodes);
uint64_t dal_command_take(struct dal_nodes *nodes);
void dal_command_answer(struct dal_nodes *nodes, uint64_t answer);
/* Return whether the last notice has been taken, and send the next one. */
int dal_command_may_notify(const struct dal_nodes *nodes);
void dal_command_notify(struct dal_nodes *nodes, uint64_t notice);

/* Tell that a signal has asked this rank for an end, and return whether one has asked another
 * rank. */
void dal_command_interrupt(struct dal_nodes *nodes);
int dal_command_interrupted(const struct dal_nodes *nodes);

/* Steps. If nothing has moved, waits until `wake` is signalled, or for the next look. `sequence` is
 * as in rt/base/wake.h. */
void dal_command_wait(struct dal_nodes *nodes, struct dal_wake *wake, uint32_t sequence);
