/*
 * Looks at a running network: takes snapshots (rt/base/snapshot.h) of what everybody has made
 * visible. The last two are kept, which tell what was so at one moment.
 *
 * Processes that are launched together are one, which is its first: it has all ports that lead out
 * of the launch.
 *
 * Thread contract: a look is one thread's. It reads atomics of the network only.
 */
#ifndef DAL_RT_WATCH_LOOK_H
#define DAL_RT_WATCH_LOOK_H

#include "rt/base/verdict.h"

struct dal_end;
struct dal_network;

struct dal_look {
    const struct dal_network *network;
    struct dal_snapshot seen[2]; /* in turn */
    int last;                    /* of them */
    struct dal_end **ends;       /* of each port */
    struct dal_wait *waits;      /* room for all that a list can have */
    struct dal_judge judge;      /* of the whole network's waits */
};

/* After the network is installed. DAL_OK or DAL_ERR_NOMEM; it is finished either way. */
int dal_look_init(struct dal_look *look, const struct dal_network *network);
void dal_look_finish(struct dal_look *look);

/* Looks. Returns whether a token has moved since the last time. */
int dal_look_take(struct dal_look *look);

static inline const struct dal_snapshot *dal_look_now(const struct dal_look *look)
{
    return &look->seen[look->last];
}

/* Waits that have held between the last two looks, of which there are at most dal_look_most(). */
int dal_look_list(const struct dal_look *look, struct dal_wait *waits);
int dal_look_most(const struct dal_look *look);

#endif
