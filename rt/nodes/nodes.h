/*
 * A network on several nodes, as one rank sees it. It has this node's part of the network, the
 * flows that leave and enter it, and the progress thread that moves them.
 *
 * Life: join (all ranks meet), install (the couriers' ends are known), ready (all ranks wait for
 * each other). Then start, note and finish in the run, leave, destroy. After an error the next of
 * ready, finish or leave tells the others.
 *
 * The progress thread steps: it moves what can be moved without waiting. When nothing moves, it
 * sleeps until an end of this node moves. It sleeps at most an eighth of the time since something
 * has moved, and at most 2 ms. A transport cannot wake it, so a lone token after a pause waits that
 * much longer. Workers with nothing to fire step in its place for a while before they sleep, so
 * that a lone token passes no other thread. Meanwhile the progress thread only naps.
 *
 * Lock contract: each step holds `stepping`, and so does each reader of what a step writes while
 * the progress thread runs.
 *
 * Clocks (Cristian 1989): each rank asks the first one for its time, several times before the run.
 * A rank errs by at most half of the shortest time between question and answer. Clocks that run at
 * other rates are not corrected.
 *
 * Reports: after an orderly end of the run, all ranks send the first one what they have done.
 *
 * The end: a rank that is done says so and stays until all are, or one breaks. The first error goes
 * to all ranks; each ends its part. If a rank's process is gone, the others name it where they can
 * see it, and wait for nothing.
 */
#ifndef DAL_RT_NODES_NODES_H
#define DAL_RT_NODES_NODES_H

#include "rt/base/sync.h"
#include "rt/base/wake.h"
#include "rt/nodes/flow.h"
#include "rt/nodes/strands.h"
#include "rt/nodes/survey.h"

/* The steps, and the time, since something has moved; starts as zeros. */
struct dal_idleness {
    int steps;
    int64_t since_ns;
};

struct dal_nodes_clock {
    int64_t offset_ns; /* the first rank's clock less this one's */
    int64_t error_ns;  /* the most that the offset is wrong by */
    int64_t begin_ns;  /* one moment before the run, the same for all ranks, on this rank's clock */
};

struct dal_nodes {
    const struct dal_net *whole;
    const struct dal_transport *transport;
    struct dal_part part;
    struct dal_link *link;
    struct dal_hello hello;
    struct dal_peer *peers; /* by rank; this rank's own place is unused */
    struct dal_flow *flows; /* by the part's flows */
    struct dal_control *control;
    struct dal_survey survey;
    struct dal_wake wake;
    pthread_mutex_t stepping;
    int may_help;              /* True when workers may step, too; with `stepping`. */
    _Atomic int64_t helped_ns; /* time of the last step of a worker */
    struct dal_message held;   /* a message for a flow without room; it has a handle */
    int holds;
    int dropped;                   /* True when a message was found but not received. */
    struct dal_transfer receiving; /* a few bytes, to `number` or `scratch` */
    uint64_t number;
    void *scratch;
    struct dal_nodes_clock clock;
    int questions;                 /* CLOCK questions that are not answered yet */
    int wants;                     /* True when this rank wants reports. */
    int gathering;                 /* True while reports are on their way. */
    struct dal_transfer reporting; /* to the first rank */
    void *sent_report;             /* freed when no rank can read it any more */
    int status;                    /* the first error that this rank has seen */
    int heard;                     /* the first error of another rank, as it was told */
    int unfit;                /* True when the ranks do not fit: all know it, and say nothing. */
    int early;                /* True when an application failed to be installed. */
    int told_end;             /* True once DONE or BREAK was said. */
    int told_stop;            /* True once STOP was said. */
    int failures;             /* of the link; after the second it is given up */
    int told_gone;            /* True once a rank that is gone was named. */
    int notified;             /* True once a notice was told, by orders.h. */
    struct dal_idleness idle; /* of the thread that waits for orders */
    int64_t told_ns;          /* time when ALIVE was said last */
    int64_t watched_ns;
    /* Messages of tokens under way, and all that came through, at the last step; relaxed, for the
     * monitor. */
    _Atomic int under_way;
    _Atomic uint64_t through;
    _Atomic int64_t worked_ns;    /* time at which this rank had work, from the monitor */
    _Atomic int64_t elsewhere_ns; /* time at which another rank had */
    _Atomic int done;             /* True when this rank's threads have ended. */
    pthread_t thread;
    int running;
};

/*
 * Meets the other ranks of the program, over a link of its own, or over strand `strand` of
 * `strands`. Each rank is one node of the whole network. Returns DAL_OK with *nodes, which the
 * caller leaves. Otherwise returns a negative code with *nodes NULL, logged. Then the ranks are not
 * as many as the nodes: the message has the right command line, with the path `program`. Or one
 * runs another program. Or one has ended already after the meeting: then its error is returned.
 * Main thread.
 */
int dal_nodes_join(struct dal_nodes **nodes, const struct dal_net *whole,
                   struct dal_strands *strands, int strand, const char *program);

/* Returns the name of this rank's node. */
const char *dal_nodes_name(const struct dal_nodes *nodes);

/* Takes over the couriers of an installed part and their ends, and becomes the ends' listener. Call
 * it before any thread of the part runs. */
void dal_nodes_install(struct dal_nodes *nodes, struct dal_process *processes,
                       struct dal_control *control);

/* Prepares the search for processes that wait for each other across nodes. `witness` stays until
 * the end. Call it before dal_nodes_start(). Returns DAL_OK or DAL_ERR_NOMEM. */
int dal_nodes_survey(struct dal_nodes *nodes, const struct dal_witness *witness);

/* Waits until all ranks are installed. With a negative `status`, tells the others and returns it.
 * Returns DAL_OK or a negative code, logged. */
int dal_nodes_ready(struct dal_nodes *nodes, int status);

/* Starts the progress thread. DAL_OK or DAL_ERR_SYSTEM, logged. */
int dal_nodes_start(struct dal_nodes *nodes);

/* Steps for a worker that has nothing to fire, unless somebody else steps. `nodes` is a struct
 * dal_nodes. Returns whether something has moved. Any thread, until its network's threads are
 * joined. */
int dal_nodes_help(void *nodes);

/* Are called by the monitor: the first returns whether another rank works, as far as is known; the
 * second notes that this one does. */
int dal_nodes_elsewhere(struct dal_nodes *nodes);
void dal_nodes_note_work(struct dal_nodes *nodes);

/* Logs the messages of tokens under way and for how long none has come through. Logs nothing while
 * a step does not return. Any thread but the one that steps. */
void dal_nodes_tell_messages(struct dal_nodes *nodes, int64_t time_ns);

/* Waits until all ranks have come to their end, or one has failed. Call it after the threads that
 * fire have been joined. An error of another rank breaks `control`. */
void dal_nodes_finish(struct dal_nodes *nodes);

/* The report of one rank, as bytes. */
struct dal_nodes_report {
    const void *bytes; /* NULL: of this rank */
    size_t count;
};

/* Returns, after finish, whether all went well and the first rank wants reports. All ranks get the
 * same result. */
int dal_nodes_gathers(const struct dal_nodes *nodes);

/* Sends this rank's report after that. In the first rank, receives the others'. Returns DAL_OK, or
 * a negative code, logged. */
int dal_nodes_gather(struct dal_nodes *nodes, const void *bytes, size_t count);

/* Returns the report of another rank that the first one has received. It stays until destroy. */
struct dal_nodes_report dal_nodes_report_of(const struct dal_nodes *nodes, int rank);

/* Leaves the others. Tells them an error, or DAL_OK, if they do not know yet. Accepts NULL. */
void dal_nodes_leave(struct dal_nodes *nodes, int status);

/* Returns the error to end with, after leaving: `status`, another rank's error that caused it, or
 * an error of leaving. With NULL, returns `status`. */
int dal_nodes_verdict(const struct dal_nodes *nodes, int status);

/* Frees it, after it was left and its network was destroyed. Accepts NULL. */
void dal_nodes_destroy(struct dal_nodes *nodes);

#endif
