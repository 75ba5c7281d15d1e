/*
 * --explain: the plan as aligned tables, each choice with its reason.
 */
#ifndef DAL_SYNTH_EXPLAIN_H
#define DAL_SYNTH_EXPLAIN_H

#include "synth/plan/plan.h"

#include <stdio.h>

struct dal_spec_fsm;

/* Returns DAL_OK or DAL_ERR_NOMEM. The plan is complete, units and all. */
int dal_explain(const struct dal_plan *plan, FILE *out);

/* The states with what they want of each application, and where each event leads. As above. */
int dal_explain_fsm(const struct dal_spec_fsm *fsm, FILE *out);

#endif
