/*
 * Finds the exact period of a part from whole iterations, without events: only the ends of those
 * firings are kept that gave the tokens which are left. An iteration makes new times of them by
 * sums and maxima (Baccelli et al. 1992, max-plus algebra). So all times grow by the period in the
 * end. Bottlenecks soon even out how the processes began. So the first state to compare with is
 * that after a part of an iteration, and one iteration more is mostly enough. It costs what its
 * firings cost, in any order that has the tokens; K-periodic schedules (spec/sdf/kperiodic.h) do
 * not get past some million firings where rates have little in common. Conventions are those of
 * spec/sdf/time.h. Internal to spec/sdf. One thread.
 */
#pragma once

#include "spec/sdf/time.h"

struct dal__maxplus;

/* Begins with one strongly connected part that has channels. `capacity` goes by channels[].number.
 * The part outlives it. Returns NULL without memory. */
struct dal__maxplus *dal__maxplus_create(const struct dal_sdf_graph *part,
                                         const uint64_t *capacity);
void dal__maxplus_destroy(struct dal__maxplus *maxplus);

/* Goes on where it stopped, until the period is known or the budget ends. UNKNOWN without
 * budget->expired means that a number does not fit. Returns DAL_OK or DAL_ERR_NOMEM, after which it
 * can only be destroyed. */
int dal__maxplus_run(struct dal__maxplus *maxplus, struct dal_sdf_budget *budget,
                     struct dal_sdf_period *period);
