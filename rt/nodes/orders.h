/*
 * What the controllers of several ranks say to each other (rt/app/controller.h), over a link of
 * their own: the first rank gives an order to all others, each carries it out and answers; then
 * comes the next order. Meanwhile the others tell the first one what they have noticed, one thing
 * at a time: the next one when it was taken. So nothing is unbounded, and what a rank tells comes
 * in its order, in front of the answer that it gives later.
 *
 * The ranks have met (dal_nodes_join) for a network without processes. One thread has the link.
 * Errors of the link, and ranks that end, are seen in nodes->status; nothing waits for them.
 */
#ifndef DAL_RT_NODES_ORDERS_H
#define DAL_RT_NODES_ORDERS_H

#include "rt/nodes/nodes.h"

/* By the first rank, when all have answered. */
void dal_orders_give(struct dal_nodes *nodes, uint64_t order);
int dal_orders_answered(const struct dal_nodes *nodes);
/* What a rank has answered. */
uint64_t dal_orders_answer_of(const struct dal_nodes *nodes, int rank);
/* The notice that a rank has told; 0 when there is none. It stays until it is taken. */
int dal_orders_notice_of(const struct dal_nodes *nodes, int rank, uint64_t *notice);
void dal_orders_take_notice(struct dal_nodes *nodes, int rank);

/* By the others: is there an order to be carried out? Then it is taken, once. */
int dal_orders_is_given(const struct dal_nodes *nodes);
uint64_t dal_orders_take(struct dal_nodes *nodes);
void dal_orders_answer(struct dal_nodes *nodes, uint64_t answer);
/* Has the last notice been taken? Then the next one may be told. */
int dal_orders_may_notify(const struct dal_nodes *nodes);
void dal_orders_notify(struct dal_nodes *nodes, uint64_t notice);

/* A signal has asked this rank for an end; and, has one asked another rank? */
void dal_orders_interrupt(struct dal_nodes *nodes);
int dal_orders_interrupted(const struct dal_nodes *nodes);

/* A step; when nothing has moved, waits until `wake` is signalled, or for the next look. `sequence`
 * as rt/base/wake.h says. */
void dal_orders_wait(struct dal_nodes *nodes, struct dal_wake *wake, uint32_t sequence);

#endif
