/*
 * Advice: what limits the throughput of a plan, how sure that is, and which single change of its
 * mapping helps most. Changes are tried with the predictor (change.h), none is guessed. Processes
 * of what never rests move to other processors of their kind, or get more cores or shadow copies.
 * Capacities grow, and both ends of a channel move to one place. One thread.
 */
#pragma once

#include "synth/tune/predict/change.h"

/* A change that was tried. */
struct dal_recommendation {
    struct dal_mapping_move change;
    struct dal_spec_processor **processors; /* the change's; owned */
    struct dal_move_value trial;
};

struct dal_advice {
    struct dal_recommendation
        *list; /* the best first: the least period, then the fewest bytes copied */
    size_t count, room;
    size_t tried, left; /* changes that were tried; changes for which time was up */
    char *limit;        /* what limits it: text for people */
    char *sure;         /* how sure that is */
    char *hint;         /* advice where no change helps; or "" */
};

/* Tries changes for at most so many seconds, first those that the limit makes likely. `prediction`
 * is the plan's, and known. Returns DAL_OK or DAL_ERR_NOMEM; dal_advice_finish() on both. */
int dal_advise(const struct dal_plan *plan, const struct dal_prediction *prediction, double seconds,
               struct dal_advice *advice);
void dal_advice_finish(struct dal_advice *advice);

/* The best change, if it shortens the period by so much that it counts; else NULL. */
const struct dal_recommendation *dal_advice_best(const struct dal_prediction *prediction,
                                                 const struct dal_advice *advice);

/* Prints for people. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal_advice_print(const struct dal_prediction *prediction, const struct dal_advice *advice,
                     FILE *out);
