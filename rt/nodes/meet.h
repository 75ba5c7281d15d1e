/*
 * How the ranks of a network meet, before it is installed and behind it.
 *
 * Clocks (Cristian 1989): each rank asks the first one for its time, several times before the run.
 * A rank errs by at most half of the shortest time between question and answer. Clocks that run at
 * other rates are not corrected.
 */
#pragma once

#include "rt/nodes/nodes.h"

/*
 * Meets the other ranks of the program, over a link of its own, or over `link`, a copy by
 * dal_nodes_duplicate(). A copy can be used again once all ranks have left. Each rank is one node
 * of the whole network. Returns DAL_OK with *nodes, which the caller leaves. Otherwise returns a
 * negative code with *nodes NULL, logged. Then the ranks are not as many as the nodes: the message
 * has the right command line, with the path `program`. Or one runs another program, or uses the
 * link for another purpose. Or one has ended already after the meeting: then its error is returned.
 * Main thread.
 */
int dal_nodes_join(struct dal_nodes **nodes, const struct dal_net *whole, struct dal_link *link,
                   const char *program);

/* Duplicates the link, for the purpose `number`; waits until all ranks do the same. Purposes come
 * in the same order on all ranks. Returns DAL_OK with *copy, which is freed with the link.
 * Otherwise returns a negative code, logged or told by another rank. */
int dal_nodes_duplicate(struct dal_nodes *nodes, int number, struct dal_link **copy);

/* Waits until all ranks are installed. With a negative `status`, tells the others and returns it.
 * Returns DAL_OK or a negative code, logged. */
int dal_nodes_ready(struct dal_nodes *nodes, int status);
