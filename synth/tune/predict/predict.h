/*
 * The prediction for a plan: the period of an iteration, what limits it, how busy processors and
 * processes are, how full channels. The plan is translated into actors and servers (simulate.h) and
 * run. One thread.
 *
 * The model has workers that fire the groups of their core in turn, in blocks, and shadow copies.
 * Launches of up to S firings, or of the rounds of a group, go in order on each device. Transfers
 * between a device's memory and the host's, and messages between nodes, overlap with all else.
 * Devices made of cores take their time of these. The model leaves out what processes on several
 * cores take of each other's caches and memory.
 */
#pragma once

#include "spec/base/table.h"
#include "synth/plan/plan.h"

enum { DAL_PREDICTION_PATHS = 16 };
/* A process that fires once at a time for this part of the period or more holds all others up. */
#define DAL_PREDICT_HOLDS_UP 0.7

/* The path from the begin of an iteration's first firing at one process to the end of its last one
 * at another. There is one for each latency that the network promises, and from each process
 * without inputs to each without outputs. */
struct dal_prediction_path {
    size_t from, to;                        /* processes, by number */
    double mean_ns, most_ns;                /* < 0 where none has ended */
    const struct dal_spec_latency *promise; /* the promise that the path belongs to, or NULL */
    double promised_ns; /* of a promise: the part of all iterations that it is of takes no longer,
                         * by times that are drawn from those measured. Without these, most_ns */
};

/* The limit of a network's throughput. */
enum dal_limit_kind {
    DAL_LIMIT_DEADLOCK,
    DAL_LIMIT_PROCESSOR, /* never rests: `limit_of` of plan->processors */
    DAL_LIMIT_WAY,       /* transfers or messages of that processor never rest */
    DAL_LIMIT_PROCESS,   /* its copies never rest, though processors do: `limit_of`, by number */
    DAL_LIMIT_PERIOD,    /* the releases of a process, which is `limit_of`, by number */
    DAL_LIMIT_ROOM,      /* capacities, cycles, and ways: nothing is at work all the time */
};

struct dal_prediction {
    char *unknown;    /* why there is none: text for people; or NULL */
    double period_ns; /* INFINITY: nothing can fire any more */
    int settled;      /* else the period is still changing where the search ended */
    char *limit;      /* what holds the network up: text for people */
    enum dal_limit_kind limit_kind;
    size_t limit_of;
    double next_busy;   /* part of the time of what is busiest beside it, 0 to 1 */
    double *processors; /* by plan->processors: busy part of the time, 0 to 1 */
    double *processes;  /* by number: part of the time of one processor, more with copies */
    double *channels;   /* by number: mean tokens in it */
    double *misses;     /* by number: part of a process's releases that miss their deadline */
    struct dal_prediction_path *paths;
    size_t path_count; /* first all that are promised, then at most DAL_PREDICTION_PATHS */
    int more_paths;    /* there are others, which were not looked at */
};

/* Should a plan be predicted? Yes if somebody has measured the time of a process. */
int dal_predict_is_wanted(const struct dal_plan *plan);

/* Predicts a plan that is complete. `is_brief` is for comparing many plans: a network that settles
 * late is looked at for a tenth of the time. Returns DAL_OK or DAL_ERR_NOMEM;
 * dal_prediction_finish() on both. */
int dal_predict(const struct dal_plan *plan, int is_brief, struct dal_prediction *prediction);
void dal_prediction_finish(struct dal_prediction *prediction);

/* "1.5 ms an iteration, 667 iterations/s" */
struct dal_cell dal_prediction_period(double period_ns);
/* "2.5 ms"; "-" of nothing. */
struct dal_cell dal_predict_ns(double ns);
/* " for 99 % of the iterations", if that is what is promised; else "". */
struct dal_cell dal_prediction_part(const struct dal_spec_latency *promise);

/* Prints how many cores of each binding to several are of use: while the process that takes longest
 * fires one at a time, these can do all else (Amdahl, AFIPS 1967). Without a prediction (NULL) only
 * what fires at once counts. The runtime finds how many are fastest (rt/host/throttle.h). */
void dal_prediction_cores(const struct dal_plan *plan, const struct dal_prediction *prediction,
                          FILE *out);

/* Prints for people. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal_prediction_print(const struct dal_plan *plan, const struct dal_prediction *prediction,
                         FILE *out);
