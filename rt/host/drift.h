/*
 * How fast tokens come or go by a clock outside, against the computer's monotonic clock.
 *
 * Each point is a time and how many tokens there were by then, at the end of a firing. The rate is
 * the slope of the line through all points, by least squares. So the first point counts, and not
 * the start of the network: a late start is no drift. What one firing is late hardly counts in a
 * long run. The sums are kept as means and deviations (Welford 1962), which lose no digits.
 *
 * The drift is the rate against the nominal one, in parts per million: above 0, the clock outside
 * is fast. It is as good as the run is long. Points that are late by up to j spoil it by some j
 * over the time of all points, and less by the root of their number.
 *
 * The functions read no clock. All belongs to the thread that fires the process. Nothing fails.
 */
#pragma once

#include <stdint.h>

struct dal_drift {
    int is_measured;
    double nominal_per_s; /* tokens a second; 0: not known */
    uint64_t tokens;      /* given or taken so far */
    int64_t first_ns, last_ns;
    uint64_t first;                     /* tokens at the first point */
    uint64_t points;                    /* since and with the first */
    double mean_s, mean, square, cross; /* of time and tokens since the first point */
};

/* Begins to measure; or only tells the nominal rate, if it has begun. */
void dal_drift_begin(struct dal_drift *drift, double nominal_per_s);

/* Tells how many tokens there were by now. */
void dal_drift_add(struct dal_drift *drift, int64_t now_ns, uint64_t tokens);

/* Returns the tokens a second, or 0 where too few points tell nothing. */
double dal_drift_per_s(const struct dal_drift *drift);

/* Returns the drift in parts per million, or 0 where it is not known. */
double dal_drift_ppm(const struct dal_drift *drift);
