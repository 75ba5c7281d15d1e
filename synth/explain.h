/*
 * --explain: the plan as aligned tables, each choice with its reason.
 */
#ifndef DAL_SYNTH_EXPLAIN_H
#define DAL_SYNTH_EXPLAIN_H

#include "spec/read/stats.h"
#include "synth/plan/plan.h"

#include <stdio.h>

struct dal_spec_fsm;

/* Returns DAL_OK or DAL_ERR_NOMEM. The plan is complete, units and all. `measured` is a run that is
 * put beside what is predicted, or NULL. */
int dal_explain(const struct dal_plan *plan, const struct dal_stats *measured, FILE *out);

/* The states with what they want of each application, and where each event leads. As above. */
int dal_explain_fsm(const struct dal_spec_fsm *fsm, FILE *out);

#endif
