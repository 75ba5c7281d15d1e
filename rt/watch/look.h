/*
 * Looks at a running network: takes snapshots (rt/base/snapshot.h) of what all threads have made
 * visible. The last two are kept: together they tell what was true at one moment.
 *
 * Processes that are launched together count as one: the first, with all ports that lead out of the
 * launch.
 *
 * Thread contract: one thread owns a look. It reads only atomics of the network.
 */
#pragma once

#include "rt/base/verdict.h"

struct dal_end;
struct dal_network;

struct dal_look {
    const struct dal_network *network;
    struct dal_snapshot seen[2]; /* filled in turn */
    int last;                    /* index of the newer one */
    struct dal_end **ends;       /* one a port */
    struct dal_wait *waits;      /* room for the longest list */
    struct dal_judge judge;      /* for the waits of the whole network */
};

/* Makes a look once the network is installed. Returns DAL_OK or DAL_ERR_NOMEM; the caller finishes
 * it either way. */
int dal_look_init(struct dal_look *look, const struct dal_network *network);
void dal_look_finish(struct dal_look *look);

/* Takes a snapshot. Returns whether a token has moved since the last one. */
int dal_look_take(struct dal_look *look);

static inline const struct dal_snapshot *dal_look_now(const struct dal_look *look)
{
    return &look->seen[look->last];
}

/* Lists the waits that held between the last two snapshots, at most dal_look_most(). */
int dal_look_list(const struct dal_look *look, struct dal_wait *waits);
int dal_look_most(const struct dal_look *look);
