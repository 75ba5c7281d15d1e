/*
 * The latencies that a network promises (struct dal_spec_latency). An iteration is on its way for
 * as long as what is in front of it takes. It arrives sooner with fewer firings at once and fewer
 * tokens in channels, but each firing costs more. So dalsynth takes as much of both as the promises
 * allow, by the prediction. First it tries the usual, then fewer and fewer firings at once, then
 * smaller capacities where these are left open. It tries all choices of small networks, and of
 * others those that lie nearest.
 *
 * A promise is weighed with times drawn as they differ in a file of times (spread.h), for the part
 * of the iterations that it is of. A prediction is of a machine that does nothing else, so the
 * promise counts as kept when they take no more than DAL_PROMISE_PART of it. One thread.
 */
#pragma once

#include "synth/tune/predict/predict.h"

#define DAL_PROMISE_PART 0.9

/* A plan that is made to see what it is worth. No sources are read for it. */
struct dal_evaluation {
    const struct dal_spec *spec;
    /* Processes are launched by themselves: those that stay apart in a plan of the same network,
     * and those on a device that are marked, by process number. NULL: none. */
    const struct dal_plan *like;
    const unsigned char *apart;
    /* As struct dal_plan has it; `like` tells it where that is given. */
    int tries_registers;
    struct dal_plan_memory *memory; /* and what follows, as struct dal_plan has it */
    double seconds;
    uint64_t most_firings; /* 0: as usual, or as promises want it */
    const uint64_t *sizes;
    int keeps_promises; /* first chooses firings and sizes for them: dal_promise_choose() */
    int leaves_capacities;
};

/* Makes the plan, which the caller destroys; NULL with an error. diags may be NULL. Returns DAL_OK,
 * or what planning returns. */
int dal_evaluation_plan(struct dal_diags *diags, const struct dal_evaluation *evaluation,
                        struct dal_plan **plan);

/* Sets only most_firings and sizes of a placed plan, where the usual ones break a promise of its
 * network. It takes those that keep all promises, or come nearest. Makes up to `most` plans, and
 * fewer of large networks; it takes some fifteen to come to one firing at once. Without promises,
 * or measured times, nothing happens. Returns DAL_OK or DAL_ERR_NOMEM. */
enum { DAL_PROMISE_FEW = 16, DAL_PROMISE_MANY = 2000 };
int dal_promise_choose(struct dal_plan *plan, unsigned most);

/* Is the finished plan predicted to keep its promises? One that it breaks is an error, and one that
 * nobody can predict is a warning. Returns DAL_OK, DAL_ERR_INVALID or DAL_ERR_NOMEM. */
int dal_promise_check(struct dal_diags *diags, const struct dal_plan *plan);

/* Returns the part of the promises that a plan needs by its prediction. With 1 or less, all are
 * kept; INFINITY: one has no iteration that ends. 0 without promises or known times. */
double dal_promise_part(const struct dal_prediction *prediction);
