/*
 * A network on several nodes, as one rank sees it. It has this node's part of the network, the
 * flows that leave and enter it, and the progress thread that moves them.
 *
 * Life: join (rt/nodes/meet.h: all ranks meet), install (the proxies' ends are known), ready (all
 * ranks wait for each other). Then start, note and finish in the run, leave (rt/nodes/end.h),
 * destroy. After an error the next of ready, finish or leave tells the others.
 *
 * The progress thread steps: it moves what can be moved without waiting. When nothing moves, it
 * sleeps until an end of this node moves. It sleeps at most an eighth of the time since something
 * has moved, and at most 2 ms. A transport cannot wake it, so a lone token after a pause waits that
 * much longer. Workers with nothing to fire step in its place for a while before they sleep, so
 * that a lone token passes no other thread. Meanwhile the progress thread only naps.
 *
 * Lock contract: each step holds `stepping`, and so does each reader of what a step writes while
 * the progress thread runs.
 */
#pragma once

#include "rt/base/sync.h"
#include "rt/base/wake.h"
#include "rt/nodes/flow.h"
#include "rt/nodes/global_snapshot.h"

/* The steps, and the time, since something has moved; starts as zeros. */
struct dal_idleness {
    int steps;
    int64_t since_ns;
};

/* The one message that waits for room, or is being received. */
struct dal_inbox {
    struct dal_message held; /* a message for a flow without room; it has a handle */
    int holds;
    int dropped;                   /* True when a message was found but not received. */
    struct dal_transfer receiving; /* a few bytes, to `number` or `scratch` */
    uint64_t number;
    void *scratch;
};

/* The threads that step, and what they share. */
struct dal_stepper {
    struct dal_wake wake;
    pthread_mutex_t stepping;
    pthread_t thread;
    int runs;                  /* True from start to finish. */
    int may_help;              /* True when workers may step, too; with `stepping`. */
    _Atomic int64_t helped_ns; /* time of the last step of a worker */
    _Atomic int done;          /* True when this rank's threads have ended. */
};

struct dal_nodes_clock {
    int64_t offset_ns; /* the first rank's clock less this one's */
    int64_t error_ns;  /* the most that the offset is wrong by */
    int64_t begin_ns;  /* one moment before the run, the same for all ranks, on this rank's clock */
    int questions;     /* of other ranks that are not answered yet */
};

struct dal_nodes_reports {
    int wanted;                  /* True when this rank wants them. */
    int gathering;               /* True while they are on their way. */
    struct dal_transfer sending; /* to the first rank */
    void *sent;                  /* freed when no rank can read it any more */
};

/* What this rank has told the others so far, and when it last looked for them. */
struct dal_nodes_told {
    int end;            /* True once DONE or BREAK was said. */
    int stop;           /* True once STOP was said. */
    int notice;         /* True once a notice was told, by commands.h. */
    int64_t alive_ns;   /* time when ALIVE was said last */
    int64_t watched_ns; /* time of the last look for ranks that are gone */
};

/* Values that steps and the monitor tell each other; relaxed. */
struct dal_nodes_signs {
    _Atomic int under_way;        /* messages of tokens, at the last step */
    _Atomic uint64_t through;     /* all that have come through, at the last step */
    _Atomic int64_t worked_ns;    /* time at which this rank had work */
    _Atomic int64_t elsewhere_ns; /* time at which another rank had */
};

/* Duplicates of a link. */
struct dal_nodes_copy {
    int is_link;            /* True when the link itself is one: then the program goes on. */
    struct dal_note making; /* under way while a copy of the link is made */
};

struct dal_nodes {
    const struct dal_net *whole;
    struct dal_part part;
    struct dal_link *link;
    int failures; /* of the link; after the second it is given up */
    struct dal_nodes_copy copy;
    struct dal_peer *peers; /* by rank; this rank's own place looks as if it were over */
    struct dal_flow *flows; /* by the part's flows */
    struct dal_control *control;
    struct dal_global_snapshot global;
    struct dal_stepper stepper;
    struct dal_inbox inbox;
    struct dal_nodes_clock clock;
    struct dal_nodes_reports reports;
    struct dal_nodes_told told;
    struct dal_nodes_signs signs;
    struct dal_idleness idle; /* of the thread that waits for commands */
    int status;               /* the first error that this rank has seen */
    int heard;                /* the first error of another rank, as it was told */
    /* How to leave. UNFIT: ranks do not fit, as all know. EARLY: others may still install. */
    enum { DAL_NODES_FIT, DAL_NODES_UNFIT, DAL_NODES_EARLY } state;
};

/* Returns the name of this rank's node. */
static inline const char *dal_nodes_name(const struct dal_nodes *nodes)
{
    return nodes->whole->nodes[nodes->link->rank];
}

/* Takes over the proxies of an installed part and their ends, and becomes the ends' listener. Call
 * it before any thread of the part runs. */
void dal_nodes_install(struct dal_nodes *nodes, struct dal_process *processes,
                       struct dal_control *control);

/* Starts the progress thread. DAL_OK or DAL_ERR_SYSTEM, logged. */
int dal_nodes_start(struct dal_nodes *nodes);

/* The monitor calls these. The first returns whether another rank works, as far as is known. The
 * second notes that this rank does. */
int dal_nodes_elsewhere(struct dal_nodes *nodes);
void dal_nodes_note_work(struct dal_nodes *nodes);

/* Logs the messages of tokens under way and for how long none has come through. Logs nothing while
 * a step does not return. Any thread but the one that steps. */
void dal_nodes_tell_messages(struct dal_nodes *nodes, int64_t time_ns);

/* Waits until all ranks have come to their end, or one has failed. Call it after the threads that
 * fire have been joined. An error of another rank breaks `control`. */
void dal_nodes_finish(struct dal_nodes *nodes);

/* Frees it, after it was left and its network was destroyed. Accepts NULL. */
void dal_nodes_destroy(struct dal_nodes *nodes);
