/*
 * What follows from waits (Parks 1995; Geilen and Basten 2003). Processes that wait for each other
 * in a cycle are stuck. If one of them waits for space, the smallest full channel of the cycle
 * grows, within a limit. If all wait for tokens, none will ever come.
 *
 * A process that lacks tokens of one that is not stuck may yet go on without them: it ends when
 * that one has. So a cycle counts only where nobody in it lacks tokens of anybody outside who is
 * not stuck as well. It counts whether the rest of the network goes on or not.
 *
 * A verdict is computed from the waits alone. All of them have held at one moment (snapshot.h).
 */
#ifndef DAL_RT_BASE_VERDICT_H
#define DAL_RT_BASE_VERDICT_H

#include "rt/base/snapshot.h"

enum dal_verdict_kind {
    DAL_VERDICT_NONE,    /* nobody is stuck, or a channel between them grows already */
    DAL_VERDICT_GROWS,   /* the ring of a wait is to grow */
    DAL_VERDICT_TOKENS,  /* a deadlock: all wait for tokens; */
    DAL_VERDICT_LIMIT,   /* channels have grown as far as they may; */
    DAL_VERDICT_DEVICE,  /* no full channel can grow, since devices use them, or some of them; */
    DAL_VERDICT_INPLACE, /* or since all are changed in place */
    DAL_VERDICTS
};

struct dal_verdict {
    enum dal_verdict_kind kind;
    const struct dal_wait *grows; /* of the given waits */
    const int *cycle;             /* indices of waits, each for the waiter of the next one */
    int length;                   /* 0 where there is none */
};

/* Memory to search in; one thread's. */
struct dal_judge {
    int vertices;
    int *first; /* wait of each vertex */
    unsigned char *visits;
    int *path, *on; /* waits, and their vertices */
};

/* Waits lead between so many vertices. DAL_OK or DAL_ERR_NOMEM; it is finished either way. */
int dal_judge_init(struct dal_judge *judge, int vertices);
void dal_judge_finish(struct dal_judge *judge);

/* `waits` are sorted by waiter. The verdict's cycle stays until the next one. */
struct dal_verdict dal_judge_waits(struct dal_judge *judge, const struct dal_wait *waits,
                                   int count);

#endif
