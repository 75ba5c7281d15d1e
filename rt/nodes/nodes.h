/*
 * A network on several nodes, as one rank sees it: its part of the network, the flows that leave
 * and enter it, and the progress thread that moves them.
 *
 * Life: join (all ranks meet), install (the couriers' ends are known), ready (all ranks wait for
 * each other), start, note and finish in the run, leave, destroy. After an error the others are
 * told by ready, finish or leave, whichever comes next.
 *
 * The progress thread steps, which is to move what can be moved without waiting. It sleeps when
 * nothing moves: until an end of this node moves, or for an eighth of the time since something has
 * moved, at most 2 ms. A transport cannot wake it, so a token that comes alone after a pause waits
 * so much longer. Workers without anything to fire step in its place for a while before they sleep,
 * so that a lone token passes no other thread. Meanwhile the progress thread only naps.
 *
 * Lock contract: `stepping` is held in each step, and by whoever reads what a step writes while the
 * progress thread runs.
 *
 * Clocks (Cristian 1989): each rank asks the first one what time it is, several times before the
 * run. Half of the shortest time between question and answer is the most that the rank errs by.
 * Clocks that run at other rates are not corrected.
 *
 * Reports: behind the end of a run in order, all ranks send the first one what they have done.
 *
 * The end: a rank that is done says so and stays until all are, or one breaks. The first error
 * goes to all ranks; each ends its part. A rank whose process is gone is named by the others,
 * where they can see it; they wait for nothing.
 */
#ifndef DAL_RT_NODES_NODES_H
#define DAL_RT_NODES_NODES_H

#include "rt/base/wake.h"
#include "rt/nodes/flow.h"
#include "rt/nodes/strands.h"
#include "rt/nodes/survey.h"

#include <pthread.h>

/* For how long nothing has moved; starts as zeros. */
struct dal_idleness {
    int steps;
    int64_t since_ns;
};

struct dal_nodes_clock {
    int64_t offset_ns; /* the first rank's clock less this one's */
    int64_t error_ns;  /* the most that the offset is wrong by */
    int64_t begin_ns;  /* one moment before the run, the same for all ranks, by this one's clock */
};

struct dal_nodes {
    const struct dal_net *whole;
    const struct dal_transport *transport;
    struct dal_part part;
    struct dal_link *link;
    struct dal_hello hello;
    struct dal_peer *peers; /* by rank, with this one's own place unused */
    struct dal_flow *flows; /* by the part's flows */
    struct dal_control *control;
    struct dal_survey survey;
    struct dal_wake wake;
    pthread_mutex_t stepping;
    int may_help;              /* workers may step, too; with `stepping` */
    _Atomic int64_t helped_ns; /* when a worker has stepped last */
    struct dal_message held;   /* for a flow without room; it has a handle */
    int holds;
    int dropped;                   /* a message that was found was not received */
    struct dal_transfer receiving; /* of a few bytes: to `number`, or to `scratch` */
    uint64_t number;
    void *scratch;
    struct dal_nodes_clock clock;
    int questions;                 /* CLOCK that are not answered yet */
    int wants;                     /* reports are wanted of this rank */
    int gathering;                 /* reports, and not all have come */
    struct dal_transfer reporting; /* to the first rank */
    void *sent_report;             /* given back when no rank can read it any more */
    int status;                    /* the first error that this rank has seen */
    int heard;                     /* the first error of another rank, as it was told */
    int unfit;                     /* the ranks do not fit: all find it, and nothing is said */
    int early;                     /* one of several applications failed to be installed */
    int told_end;                  /* DONE or BREAK was said */
    int told_stop;                 /* STOP was said */
    int failures;                  /* of the link; one that fails again is given up */
    int told_gone;                 /* a rank that is gone has been named */
    int notified;                  /* a notice was told, by orders.h */
    struct dal_idleness idle;      /* of whoever waits for orders */
    int64_t told_ns;               /* when ALIVE was said last */
    int64_t watched_ns;
    /* For the monitor, as of the last step: messages of tokens under way, and those that came
     * through so far; relaxed. */
    _Atomic int under_way;
    _Atomic uint64_t through;
    _Atomic int64_t worked_ns;    /* this rank had work, as the monitor says */
    _Atomic int64_t elsewhere_ns; /* another one had */
    _Atomic int done;             /* this rank's threads have ended */
    pthread_t thread;
    int running;
};

/*
 * Meets the other ranks of the program, over a link of its own, or with `strands` over that strand
 * of them. Each has its own number of the whole network's nodes. DAL_OK with *nodes to be left, or
 * a negative code with *nodes NULL, logged: the ranks are not as many as the nodes (the message has
 * the command line that is right; `program` is its path), one runs another program, or one has met
 * the others and ended already: then its error. Main thread.
 */
int dal_nodes_join(struct dal_nodes **nodes, const struct dal_net *whole,
                   struct dal_strands *strands, int strand, const char *program);

/* The name of this rank's node. */
const char *dal_nodes_name(const struct dal_nodes *nodes);

/* Takes over the couriers of an installed part, with their ends, whose listener they become. Before
 * any thread of it runs. */
void dal_nodes_install(struct dal_nodes *nodes, struct dal_process *processes,
                       struct dal_control *control);

/* From the start on, processes that wait for each other over nodes are looked for. `witness` stays
 * until the end. Before dal_nodes_start(). DAL_OK or DAL_ERR_NOMEM. */
int dal_nodes_survey(struct dal_nodes *nodes, const struct dal_witness *witness);

/* Waits until all ranks are installed. With a negative `status`, tells the others, and returns it.
 * DAL_OK or a negative code, logged. */
int dal_nodes_ready(struct dal_nodes *nodes, int status);

/* Starts the progress thread. DAL_OK or DAL_ERR_SYSTEM, logged. */
int dal_nodes_start(struct dal_nodes *nodes);

/* By a worker that has nothing to fire: a step, if nobody else steps. `nodes` is a struct
 * dal_nodes. Returns whether something has moved. Any thread, until its network's threads are
 * joined. */
int dal_nodes_help(void *nodes);

/* For the monitor, which asks and tells: is another rank at work, as far as is known? This one is.
 */
int dal_nodes_elsewhere(struct dal_nodes *nodes);
void dal_nodes_note_work(struct dal_nodes *nodes);

/* Reports the messages of tokens that are under way, of which none has come through for so long;
 * nothing while a step does not return. Any thread but the one that steps. */
void dal_nodes_tell_messages(struct dal_nodes *nodes, int64_t time_ns);

/* Waits until all ranks have come to their end, or one has failed. After the threads that fire have
 * been joined. An error of another rank breaks `control`. */
void dal_nodes_finish(struct dal_nodes *nodes);

/* What each rank has done, as bytes. */
struct dal_nodes_report {
    const void *bytes; /* NULL: of this rank */
    size_t count;
};

/* After finish: has all gone well, and does the first rank want reports? All ranks find the same.
 */
int dal_nodes_gathers(const struct dal_nodes *nodes);

/* Then: sends this rank's report, or in the first rank receives the others' to reports[1..]; they
 * stay until destroy. DAL_OK, or a negative code, logged. */
int dal_nodes_gather(struct dal_nodes *nodes, const void *bytes, size_t count,
                     struct dal_nodes_report *reports);

/* Leaves the others, whom an error, or DAL_OK, is told if they do not know yet. Accepts NULL. */
void dal_nodes_leave(struct dal_nodes *nodes, int status);

/* The error to end with: `status`, another rank's error that is its cause, or one of leaving. After
 * it has been left. With NULL, `status`. */
int dal_nodes_verdict(const struct dal_nodes *nodes, int status);

/* After it has been left, and its network has been destroyed. Accepts NULL. */
void dal_nodes_destroy(struct dal_nodes *nodes);

#endif
