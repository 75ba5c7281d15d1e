/*
 * Finds deadlocks from waits (Parks 1995; Geilen and Basten 2003). Processes that wait for each
 * other in a cycle are stuck. If one of them waits for space, the smallest full channel of the
 * cycle grows, within a limit. If all wait for tokens, none will ever come.
 *
 * A process that lacks tokens of one that is not stuck may yet go on without them: it ends when
 * that one has ended. So a cycle counts only if none of its members lacks tokens of a process
 * outside that is not stuck. It counts even if the rest of the network goes on.
 *
 * A verdict is computed from the waits alone. All of them have held at one moment (snapshot.h).
 */
#pragma once

#include "rt/base/snapshot.h"

enum dal_verdict_kind {
    DAL_VERDICT_NONE,    /* nobody is stuck, or a channel between them grows already */
    DAL_VERDICT_GROWS,   /* a ring is to grow: that of `grows` */
    DAL_VERDICT_TOKENS,  /* a deadlock: all wait for tokens; */
    DAL_VERDICT_LIMIT,   /* channels have grown as far as they may; */
    DAL_VERDICT_DEVICE,  /* no full channel can grow, since devices use them, or some of them; */
    DAL_VERDICT_INPLACE, /* or since all are changed in place */
    DAL_VERDICTS
};

struct dal_verdict {
    enum dal_verdict_kind kind;
    const struct dal_wait *grows; /* of the given waits */
    const int *cycle;             /* indices of waits, each for the next one's waiter */
    int length;                   /* 0 where there is none */
};

/* Memory for searches of one thread. */
struct dal_judge {
    int vertices;
    int *first; /* the first wait of each vertex */
    unsigned char *visits;
    int *path, *on; /* waits, and their vertices */
};

/* Makes a judge for waits between so many vertices. DAL_OK or DAL_ERR_NOMEM; the caller finishes it
 * either way. */
int dal_judge_init(struct dal_judge *judge, int vertices);
void dal_judge_finish(struct dal_judge *judge);

/* Returns the verdict on waits, which are sorted by waiter. Its cycle is valid until the next
 * verdict. */
struct dal_verdict dal_judge_waits(struct dal_judge *judge, const struct dal_wait *waits,
                                   int count);
