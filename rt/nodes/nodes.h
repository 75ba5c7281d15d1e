/*
 * A network on several nodes, as one rank sees it: its part of the network, the flows that leave
 * and enter it, and the progress thread that moves them.
 *
 * Life: join (all ranks meet), install (the couriers' ends are known), ready (all ranks wait for
 * each other), start, note and finish in the run, leave, destroy. After an error the others are
 * told by ready, finish or leave, whichever comes next.
 *
 * The progress thread alone uses the link while it runs. It sleeps when nothing moves: until an end
 * of this node moves, or for an eighth of the time since something has moved, at most 2 ms. A
 * transport cannot wake it, so a token that comes alone after a pause waits so much longer.
 *
 * The end: a rank that is done says so and stays until all are, or one breaks. The first error
 * goes to all ranks; each ends its part. A rank whose process is gone is named by the others,
 * where they can see it; they wait for nothing.
 */
#ifndef DAL_RT_NODES_NODES_H
#define DAL_RT_NODES_NODES_H

#include "rt/base/wake.h"
#include "rt/nodes/flow.h"

#include <pthread.h>

struct dal_nodes {
    const struct dal_net *whole;
    const struct dal_transport *transport;
    struct dal_part part;
    struct dal_link *link;
    struct dal_hello hello;
    struct dal_peer *peers; /* by rank, with this one's own place unused */
    struct dal_flow *flows; /* by the part's flows */
    struct dal_control *control;
    struct dal_wake wake;
    struct dal_message held; /* for a flow without room; it has a handle */
    int holds;
    struct dal_transfer receiving; /* of a few bytes: to `number`, or to `scratch` */
    uint64_t number;
    void *scratch;
    int status;      /* the first error that this rank has seen */
    int told_end;    /* DONE or BREAK was said */
    int told_stop;   /* STOP was said */
    int told_gone;   /* a rank that is gone has been named */
    int64_t told_ns; /* when ALIVE was said last */
    int64_t watched_ns;
    _Atomic int64_t worked_ns;    /* this rank had work, as the monitor says */
    _Atomic int64_t elsewhere_ns; /* another one had */
    _Atomic int done;             /* this rank's threads have ended */
    pthread_t thread;
    int running;
};

/*
 * Meets the other ranks of the program. Each has its own number of the whole network's nodes.
 * DAL_OK with *nodes to be left, or a negative code with *nodes NULL, logged: the ranks are not as
 * many as the nodes (the message has the command line that is right; `program` is its path), or
 * one runs another program. Main thread.
 */
int dal_nodes_join(struct dal_nodes **nodes, const struct dal_net *whole, const char *program);

/* The name of this rank's node. */
const char *dal_nodes_name(const struct dal_nodes *nodes);

/* Takes over the couriers of an installed part, with their ends, whose listener they become. Before
 * any thread of it runs. */
void dal_nodes_install(struct dal_nodes *nodes, struct dal_process *processes,
                       struct dal_control *control);

/* Waits until all ranks are installed. With a negative `status`, tells the others, and returns it.
 * DAL_OK or a negative code, logged. */
int dal_nodes_ready(struct dal_nodes *nodes, int status);

/* Starts the progress thread. DAL_OK or DAL_ERR_SYSTEM, logged. */
int dal_nodes_start(struct dal_nodes *nodes);

/* For the monitor, which asks and tells: is another rank at work, as far as is known? This one is.
 */
int dal_nodes_elsewhere(struct dal_nodes *nodes);
void dal_nodes_note_work(struct dal_nodes *nodes);

/* Waits until all ranks have come to their end, or one has failed. After the threads that fire have
 * been joined. An error of another rank breaks `control`. */
void dal_nodes_finish(struct dal_nodes *nodes);

/* Leaves the others, whom an error, or DAL_OK, is told if they do not know yet. Accepts NULL. */
void dal_nodes_leave(struct dal_nodes *nodes, int status);

/* After it has been left, and its network has been destroyed. Accepts NULL. */
void dal_nodes_destroy(struct dal_nodes *nodes);

#endif
