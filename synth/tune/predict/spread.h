/*
 * How much the times of a firing differ, as a file of times has it: by their mean, 10th percentile,
 * median and 99th percentile (rt/observe/times.h). They are the averages of activations, so all
 * firings of one activation deviate alike. Processes that fire one after the other deviate each by
 * itself. One thread.
 */
#pragma once

#include "spec/model/model.h"

/* Deviations from the mean of a firing, in ns; all 0 where all firings take as long. */
struct dal_spread {
    double low_ns, middle_ns, high_ns; /* of the 10th percentile, the median, the 99th */
    double start, bend, shift_ns;      /* set by dal_spread_fit() */
};

/* Adds `count` firings of a process to those that make one firing of an actor. */
void dal_spread_add(struct dal_spread *spread, const struct dal_spec_execution_time *time,
                    double count);

/* Chooses the curve behind the median, once all are added: the deviations have the mean 0. */
void dal_spread_fit(struct dal_spread *spread);

/* Do times differ at all? */
int dal_spread_differs(const struct dal_spread *spread);

/* Returns a deviation from the mean of a firing. `chance` is evenly drawn, from 0 to below 1. What
 * takes longer than 999 of 1,000 was not measured, and does not come. */
double dal_spread_draw(const struct dal_spread *spread, double chance);

/* Returns the next number by chance, evenly drawn from 0 to below 1, and changes the state, which
 * may be any at first (Steele, Lea and Flood 2014). */
double dal_spread_chance(uint64_t *state);
