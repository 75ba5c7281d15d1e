/*
 * What a verdict (rt/base/verdict.h) leads to: a channel grows, or the network ends and it is told
 * who waits for whom.
 */
#ifndef DAL_RT_WATCH_RESOLVE_H
#define DAL_RT_WATCH_RESOLVE_H

#include "rt/watch/look.h"

struct dal_channel;

/* Judges waits, sorted by waiter. Returns the one whose ring is to grow, or NULL. Where nothing
 * helps, the network is broken, with a message. */
const struct dal_wait *dal_resolve(struct dal_network *network, struct dal_judge *judge,
                                   const struct dal_wait *waits, int count);

/* One line, as a note; none where another wait says the same. */
void dal_wait_tell(const struct dal_network *network, const struct dal_wait *wait);

/* Can the ring of a port grow, within this network's limit? `channel` is its first. Any thread. */
enum dal_growth dal_growth_of(const struct dal_network *network, const struct dal_channel *channel);

/* Doubles a ring, or gives it what is left of the limit; nothing if it grows already or cannot. An
 * error breaks the network. Any thread. */
void dal_grow_ring(struct dal_network *network, int ring);

/* Looks for what waits over nodes from the start on, where processes have dynamic rates. Before the
 * start. DAL_OK or DAL_ERR_NOMEM, logged. */
int dal_resolve_nodes(struct dal_network *network);

#endif
