/*
 * What a launch on a device takes by its firings, as a file of times has it (rt/observe/times.h).
 * Plain data. One thread.
 */
#pragma once

#include <stddef.h>

enum { DAL_CURVE_MOST = 32 };

/* Launches of about one size: how many, their firings, and the ns that they took, in all. */
struct dal_spec_launches {
    double launches, firings, ns;
};

struct dal_spec_curve {
    struct dal_spec_curve *next; /* of a list that owns them, or NULL */
    size_t count;
    struct dal_spec_launches of[DAL_CURVE_MOST + 2]; /* by size; room for dal_spec_curve_extend() */
};

/* Frees a list of curves. Accepts NULL. */
void dal_spec_curves_finish(struct dal_spec_curve *list);

/* Makes sizes that took less than a smaller one as long as that, in the mean of their launches:
 * more firings take no less. */
void dal_spec_curve_rise(struct dal_spec_curve *curve);

/* Goes on where nothing was measured, for a device of so many units. Up to one firing a unit, the
 * slope is that of the last two sizes. Beyond that and what was measured, a launch takes at least
 * as long a firing as there. So no device is taken to have units without an end. */
void dal_spec_curve_extend(struct dal_spec_curve *curve, double units);

/* Returns what a launch of so many firings takes, in ns: on straight lines between the sizes, the
 * last one going on beyond them. Below the first size it is the first. */
double dal_spec_curve_ns(const struct dal_spec_curve *curve, double firings);

/* Returns the most firings that take so long at most; 1 where none do, INFINITY where all do. */
double dal_spec_curve_firings(const struct dal_spec_curve *curve, double ns);
