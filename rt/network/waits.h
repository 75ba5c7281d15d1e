/*
 * Who waits for whom in a network, by what everybody has made visible, and the cycles of that.
 *
 * Two looks that found the same counts are one moment's: counts only grow, so in between nothing
 * moved. The second look asks what each process does before it comes to the counts: one that is not
 * at work then has made visible all that it ever will before it moves a count, so what it lacks by
 * these counts it did lack.
 *
 * Thread contract: a look is one thread's. It reads atomics of the network only.
 */
#ifndef DAL_RT_NETWORK_WAITS_H
#define DAL_RT_NETWORK_WAITS_H

#include "rt/nodes/survey.h"

struct dal_end;
struct dal_network;

/* A process at the last look. */
struct dal_look_view {
    const struct dal_end *blocked; /* where a KPN process sleeps */
    int at_work;                   /* any other process */
};

struct dal_look {
    const struct dal_network *network;
    uint64_t *counts;            /* of the last look: two a channel, producer's and consumer's */
    struct dal_look_view *views; /* by process */
    int devices_rest;            /* at the last look */
    int *vertices;               /* by process: see dal_wait */
    int vertex_count;
    /* For the search. */
    int *first; /* wait of each vertex */
    unsigned char *visits;
    int *path, *on; /* waits, and their vertices */
};

/* After the network is installed. DAL_OK or DAL_ERR_NOMEM; it is finished either way. */
int dal_look_init(struct dal_look *look, const struct dal_network *network);
void dal_look_finish(struct dal_look *look);

/* Looks. Returns whether a count has moved since the last time. */
int dal_look_take(struct dal_look *look);

/* All waits at the last look, by vertex. There are at most dal_look_most() of them. */
int dal_look_list(const struct dal_look *look, struct dal_wait *waits);
int dal_look_most(const struct dal_look *look);

/* Does a periodic process wait for its release, and for nothing else, as of the last look? */
int dal_look_is_held(const struct dal_look *look, int process);

/* Follows waits, which are in the order of their vertices, until one leads back: the cycle is
 * waits[look->path[*first .. result - 1]]. 0 without one. */
int dal_look_find_cycle(struct dal_look *look, const struct dal_wait *waits, int count, int *first);

#endif
