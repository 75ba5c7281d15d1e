/* --dump: a plan as text, as far as it is made. One thread. */
#pragma once

#include "synth/plan/plan.h"

#include <stdio.h>

/*
 * Prints a line for the plan, each of its processors, processes in their order, channels, groups
 * and units: what it is, its name, and NAME=VALUE for each thing that has been decided. The same
 * plan gives the same text on all machines. Returns DAL_OK or DAL_ERR_IO.
 */
int dal_plan_dump(const struct dal_plan *plan, FILE *out);
