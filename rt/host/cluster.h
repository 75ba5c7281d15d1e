/*
 * Clusters: connected processes of the same core, or cores, that fire in turn as one, as in the
 * loop that one would write by hand.
 *
 * Each process but the first is fed by one before it; their channels to each other have the same
 * rate at both ends and no initial tokens. Every process fires a block of firings, in the plan's
 * order, again and again; then the ends of all channels are brought up to date at once. So a token
 * stays in the cache until it leaves the cluster, and what an activation costs is spread over many.
 * Stateless processes of several cores are copied together: each core carries tokens of its own
 * through all of them. (Clustering of a dataflow graph: Bhattacharyya, Murthy, Lee, "Software
 * Synthesis from Dataflow Graphs", 1996.)
 *
 * No two of the cluster's ends lead to processes that are connected without it. So what one end
 * waits for never waits for a part of the cluster to fire before the rest, and no deadlock is made
 * or hidden. Once a process of it is about to end, and all activations are released, the cluster
 * has come apart: its processes are fired one by one (rt/host/activate.c), from where it left them.
 * Until then nobody but the cluster uses their ends.
 *
 * An activation is asked to end early through the process that takes long (net.h). The processes
 * before it in the block are ahead then. The others catch up with what there is, and what has gone
 * through all of them is released: the activation is parked, and its worker goes on with it, a
 * slice as long as the pace allows at a time. So the cluster stays one, and is back in step at the
 * end of the block.
 *
 * Thread: found by the main thread before any process runs; then a worker's, or of several workers
 * the one's that claimed it, which hands all the rest over (acquire/release).
 */
#ifndef DAL_RT_HOST_CLUSTER_H
#define DAL_RT_HOST_CLUSTER_H

#include "rt/host/process.h"

/* What firing a block takes: together, since it is done between any two of a few bytes. */
struct dal_cluster_step {
    void (*run)(DALProcess *p, struct dal_activation *a); /* the process's */
    struct dal_copy *copy;
    uint64_t done; /* firings of a block that was cut short; see struct dal_cluster_copy */
};

/* One activation of all processes, in their copies of one number. */
struct dal_cluster_copy {
    _Alignas(64) struct dal_window **windows; /* one an end, of the processes' activations */
    struct dal_cluster_step *steps;           /* one a process */
    uint64_t asked;  /* firings of each process that windows are held for */
    uint64_t done;   /* of those all processes have gone through, and not released */
    uint64_t goal;   /* of those to be gone through in this run */
    uint64_t blocks; /* done */
    uint64_t ragged; /* firings of the block that was cut short which are left for the last process;
                        0: there is none. Each process has done as many as the one behind it, or
                        more; windows stand where these firings begin */
    uint64_t into;   /* firings of that block before them */
    int last;        /* the process that did not go through its block, -1: none */
    int begun;       /* and not released */
    int running;
    int early;  /* it was cut short in this run */
    int parked; /* it is to be gone on with; its worker's */
};

struct dal_cluster {
    struct dal_process **processes; /* in the plan's order */
    int count;
    int timed;             /* as its processes */
    struct dal_end **ends; /* those of channels that lead out, then those in between */
    int outer_count, end_count;
    struct dal_cluster_copy *copies; /* one for each worker */
    int copy_count;
    uint64_t block;    /* most firings of a process in a row */
    _Atomic int apart; /* its processes are fired one by one, or there is but one */

    _Alignas(64) struct dal_claim claim; /* of the worker that begins or releases */
    _Atomic int at_work;                 /* as that of a process */
    int ending;                          /* none is begun any more */
    int *order;           /* the copy of activation n is copies[order[n % copy_count]] */
    uint64_t begun, done; /* activations */
    struct dal_pace pace; /* firings of each process in one activation */
    /* What has been released, but not yet counted for processes and the channels in between: that
     * is done now and then. */
    uint64_t uncounted, uncounted_blocks;
    int64_t counted_ns;
};

/* The processes of a network, as its table has them: channels name them by their index. */
struct dal_process_list {
    struct dal_process *processes;
    int count;
};

struct dal_clusters {
    struct dal_cluster *list;
    int count;
};

/* Finds the clusters of a network, whose processes are linked; each C or KPN process is in one.
 * DAL_OK or DAL_ERR_NOMEM; the caller finishes what is there either way. */
int dal_clusters_find(struct dal_clusters *clusters, const struct dal_process_list *all);
void dal_clusters_finish(struct dal_clusters *clusters);

/* Fires the processes of a cluster that has not come apart, as often as is possible and does not
 * take long. Returns 1 when it did, or has come apart just now; 0 when there was nothing to do.
 * `number` is the calling worker's among those of the processes, `row` its own. */
int dal_cluster_activate(struct dal_cluster *cluster, int number, struct dal_trace_row *row);

static inline int dal_cluster_is_apart(const struct dal_cluster *cluster)
{
    return atomic_load_explicit(&cluster->apart, memory_order_acquire);
}

#endif
