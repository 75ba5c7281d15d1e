/*
 * Simulates a mapped network in time: actors that fire on servers, with bounded channels between
 * them, event by event. The numbers are in ns; model.c tells what they stand for. An activation
 * takes its tokens and claims its space when it begins. When it ends, it frees the space of what it
 * has read, and hands over what it has made (the conventions of spec/sdf/time.h). One thread.
 */
#pragma once

#include "include/net.h"
#include "spec/sdf/graph.h"
#include "synth/tune/predict/spread.h"

/* Releases by the clock: an activation belongs to one of them. */
struct dal_sim_period {
    double period_ns; /* 0: there are none */
    double phase_ns, deadline_ns;
    uint64_t firings; /* firings of a release */
    enum dal_overrun overrun;
};

/* The actor that fires a process of the graph. */
struct dal_sim_actor {
    const size_t *servers; /* each runs one activation at a time; NULL: it needs none */
    size_t server_count;
    uint64_t copies; /* most activations at once */
    uint64_t most;   /* firings in an activation */
    double fixed_ns, firing_ns;
    /* What all firings of an activation take, by their number; NULL: firing_ns each. */
    const struct dal_spec_curve *curve;
    const struct dal_spread *spread; /* of firing_ns, for dal_sim_draw(); NULL: it is always that */
    /* What each server loses meanwhile, by server, for each ns that counts; NULL: nothing. The
     * parts of firing_ns and fixed_ns that count. */
    const double *takes;
    double firing_counts, fixed_counts;
    struct dal_sim_period periodic; /* only of one with one copy */
};

/* Which actor a server begins of those that can begin: they take turns, the first one in the list,
 * or any one by chance. */
enum dal_sim_order { DAL_SIM_TURNS, DAL_SIM_AHEAD, DAL_SIM_CHANCE, DAL_SIM_ORDERS };

/* The ring of a channel. An activation ends where one of its rings does, though it could fire more
 * (rt/base/shape.h). */
struct dal_sim_ring {
    uint64_t slots;             /* 0: it cuts nothing */
    uint64_t write_at, read_at; /* slots of the first windows */
};

/* The path from the begin of an iteration's first firing to the end of its last one. */
struct dal_sim_path {
    size_t from, to; /* actors */
    double part;     /* for dal_sim_draw(): of all iterations, above 0 to 1 */
};

struct dal_sim {
    /* Without phases. The capacity of a channel is its size, `given`. One that continues goes on
     * with the tokens of the channel before it in the list. They have their places there until
     * they have been read here, and its own capacity does not count. */
    const struct dal_sdf_graph *graph;
    const struct dal_sim_actor *actors; /* by process of the graph */
    size_t server_count;
    enum dal_sim_order order;
    const struct dal_sim_ring *rings; /* by channel; NULL: none cuts anything */
    /* Nanoseconds until a server that sleeps is at work, by server; 0 for one that never sleeps.
     * NULL: none sleeps. Others look for work from time to time, the less often the longer they
     * have had none, and sleep after so long. */
    const double *wakes;
    double patience_ns, look_ns; /* until it sleeps; the longest time between looks */
    const struct dal_sim_path *paths;
    size_t path_count;
    uint64_t events; /* most that are looked at */
    /* For dal_sim_draw(): how long a server is held up by others, and how long it works from one
     * such time to the next, on the average; stall_ns 0: never. */
    double stall_ns, between_ns;
};

/* The time that iterations take on a path. With initial tokens on it, `to` may end an iteration
 * before `from` has begun it: that counts as 0. */
struct dal_sim_latency {
    double mean_ns, most_ns; /* < 0 where none has ended */
    double part_ns;          /* drawn: the path's part of the iterations takes no longer */
};

/* The result for the time that was looked at, once the network has settled. */
struct dal_sim_result {
    double period_ns;    /* of an iteration; INFINITY where nothing can fire any more */
    uint64_t seen;       /* events until then */
    int settled;         /* the period does not change any more; else the events ended first */
    double *server_busy; /* part of the time, 0 to 1 */
    double *actor_busy;  /* part of the time of one server; more than 1 with several copies */
    double *actor_block; /* mean firings of an activation */
    /* Mean tokens, with those that are being read or made; 0 of one that continues another, where
     * they are counted. */
    double *channel_fill;
    struct dal_sim_latency *latency; /* by path */
    double *actor_misses;            /* part of its releases that miss their deadline, 0 to 1 */
};

/* Returns DAL_OK or DAL_ERR_NOMEM; dal_sim_finish() on both. */
int dal_sim_run(const struct dal_sim *sim, struct dal_sim_result *result);

/* The same with times that are drawn from the actors' spreads, the same ones each time. Looks at
 * the first iterations of each path, so many, 1 or more, and at as many after so many events, by
 * which the network is settled; as long as there are events. What a path's part needs is the
 * larger of the two; all else is of the second. The result has no period. */
int dal_sim_draw(const struct dal_sim *sim, uint64_t settled, uint64_t iterations,
                 struct dal_sim_result *result);
void dal_sim_finish(struct dal_sim_result *result);
