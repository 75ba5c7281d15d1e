/*
 * Time in a network: every process fires as soon as it can (self-timed execution), by the
 * conventions of SDF3. A firing takes its input tokens and claims its output space when it
 * starts; it frees the input space and hands over the output tokens when it ends. A process may
 * fire concurrently with itself unless a channel to itself forbids it. A cyclo-static process
 * starts its phases in order. One that is short does not end before those that have started
 * earlier: their tokens, and their space, come first. Times are exact integers, periods exact
 * fractions. One thread.
 */
#pragma once

#include "spec/sdf/graph.h"

/* Limits of a search; all of its steps share them. */
struct dal_sdf_budget {
    int64_t deadline_ns; /* by dal_now_ns(); 0 for none */
    uint64_t work;       /* channel ends that may still be looked at */
    int expired;         /* one of the two has run out, or a size or time does not fit */
    void (*progress)(struct dal_sdf_budget *budget, const char *what); /* now and then, or NULL */
    void *context;                                                     /* for progress */
    const char *what;                                                  /* the present step */
};

/* Takes `work` off; now and then looks at the clock. Returns 0 when the budget has expired. */
int dal_sdf_spend(struct dal_sdf_budget *budget, uint64_t work);

enum dal_sdf_verdict {
    DAL_SDF_PERIODIC,
    DAL_SDF_DEADLOCK,
    DAL_SDF_UNBOUNDED, /* no bound on throughput: any number of iterations at once */
    DAL_SDF_UNKNOWN,   /* the budget ended first */
};

/* Time units per iteration: over / under, in lowest terms, when PERIODIC. */
struct dal_sdf_period {
    enum dal_sdf_verdict verdict;
    uint64_t over, under;
};

/* Returns -1, 0, 1 as a is faster than, as fast as, slower than b. A deadlock is slower than
 * anything, UNBOUNDED faster; UNKNOWN is taken as a deadlock. */
int dal_sdf_compare(struct dal_sdf_period a, struct dal_sdf_period b);

/* Executes one strongly connected part, many times with different capacities. */
struct dal_sdf_engine;
struct dal_sdf_engine *dal_sdf_engine_create(const struct dal_sdf_graph *part);
void dal_sdf_engine_destroy(struct dal_sdf_engine *engine);

/* Executes until the state recurs; where that takes long, looks for the slowest cycle instead
 * (spec/sdf/kperiodic.h). `capacity` goes by channels[].number. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal_sdf_engine_period(struct dal_sdf_engine *engine, const uint64_t *capacity,
                          struct dal_sdf_budget *budget, struct dal_sdf_period *period);

/*
 * After dal_sdf_engine_period(): sets tight[number] to 1 for every channel that is too small. Its
 * lack of space holds up a cycle of processes in the periodic phase, or blocks one in a deadlock.
 * The period can become less only with more capacity of one of them (the storage dependencies of
 * Stuijk et al. 2008). Other entries are left alone; after UNKNOWN none are set. Returns DAL_OK or
 * DAL_ERR_NOMEM.
 */
int dal_sdf_engine_tight(const struct dal_sdf_engine *engine, unsigned char *tight);

/*
 * Finds the period of a whole graph: that of its slowest part. With all capacities unlimited this
 * is the least period that any capacities can reach. Returns DAL_OK or DAL_ERR_NOMEM.
 */
int dal_sdf_period(const struct dal_sdf_graph *graph, const uint64_t *capacity,
                   struct dal_sdf_budget *budget, struct dal_sdf_period *period);
/* Finds the time units until every process has ended the firings of the first iteration. *known is
 * 0 when there is a deadlock or the budget ends. */
int dal_sdf_latency(const struct dal_sdf_graph *graph, const uint64_t *capacity,
                    struct dal_sdf_budget *budget, uint64_t *latency, int *known);
