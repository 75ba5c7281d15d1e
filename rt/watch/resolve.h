/*
 * Carries out a verdict (rt/base/verdict.h): a channel grows, or the network ends and the log says
 * who waits for whom.
 */
#pragma once

#include "rt/watch/look.h"

struct dal_channel;

/* Judges waits, sorted by waiter. Returns the wait whose ring is to grow, or NULL. If nothing
 * helps, breaks the network, with a message. */
const struct dal_wait *dal_resolve(struct dal_network *network, struct dal_judge *judge,
                                   const struct dal_wait *waits, int count);

/* Logs a wait as one line, unless another wait says the same. */
void dal_wait_tell(const struct dal_network *network, const struct dal_wait *wait);

/* Returns whether a port's ring can grow within this network's limit; `channel` is its first. Any
 * thread. */
enum dal_growth dal_growth_of(const struct dal_network *network, const struct dal_channel *channel);

/* Doubles a ring, or gives it what is left of the limit. Does nothing if it grows already or
 * cannot. An error breaks the network. Any thread. */
void dal_grow_ring(struct dal_network *network, int ring);

/* Starts the search for waits across nodes, if processes have dynamic rates. Call it before the
 * start. Returns DAL_OK or DAL_ERR_NOMEM, logged. */
int dal_resolve_nodes(struct dal_network *network);
/* Frees what dal_resolve_nodes() made, once the network has ended. */
void dal_resolve_finish(struct dal_network *network);
