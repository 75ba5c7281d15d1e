/*
 * --explain: the plan as aligned tables, each choice with its reason.
 */
#ifndef DAL_SYNTH_PROGRAM_EXPLAIN_H
#define DAL_SYNTH_PROGRAM_EXPLAIN_H

#include "spec/read/stats.h"
#include "synth/plan/plan.h"

#include <stdio.h>

struct dal_spec_fsm;

/* What more is asked. */
struct dal_explain {
    const struct dal_stats *measured; /* a run that is put beside what is predicted, or NULL */
    int advises;                      /* what limits the plan, and which change helps */
    double seconds;                   /* for that */
    const char *advice_file;          /* the mapping with the best change, or NULL */
};

/* Returns DAL_OK, DAL_ERR_NOMEM, DAL_ERR_INVALID where there can be no advice, or DAL_ERR_IO where
 * its file could not be written; the last two are logged. The plan is complete, units and all. */
int dal_explain(const struct dal_plan *plan, const struct dal_explain *wishes, FILE *out);

/* The states with what they want of each application, and where each event leads. As above. */
int dal_explain_fsm(const struct dal_spec_fsm *fsm, FILE *out);

#endif
