/*
 * --explain: the plan as aligned tables, each choice with its reason.
 */
#pragma once

#include "spec/base/text.h"
#include "spec/read/stats.h"
#include "synth/plan/plan.h"

#include <stdio.h>

struct dal_spec_fsm;
struct dal_ledger; /* synth/tune/predict */

/* Wishes beyond the tables of the plan. */
struct dal_explain {
    int json;                         /* true: the tables as data */
    const struct dal_stats *measured; /* a run that is put beside what is predicted, or NULL */
    int advises;                      /* true: tells what limits the plan, and which change helps */
    double seconds;                   /* for that */
    const char *advice_file;          /* the mapping with the best change, or NULL */
};

/* Explains a plan, which is complete, units and all. Returns DAL_OK, DAL_ERR_NOMEM, DAL_ERR_INVALID
 * if there can be no advice, or DAL_ERR_IO if its file could not be written. The last two are
 * logged. */
int dal_explain(const struct dal_plan *plan, const struct dal_explain *wishes, FILE *out);

/* Adds the tables of processes and of channels: a line for the heads of columns, then one for each.
 * Cells end with "\v", the last of a line with "\n". */
void dal_explain_tables(const struct dal_plan *plan, struct dal_text *text);

/* Prints the tables as data, and the text that dal_explain() prints (explain_json.c). Returns as
 * that. */
int dal_explain_json(const struct dal_plan *plan, const struct dal_explain *wishes, FILE *out);

/* Tells what the times of processes say, if a file of times was given (explain_times.c). Returns as
 * above. */
int dal__explain_times(const struct dal_plan *plan, const struct dal_ledger *ledger,
                       const struct dal_explain *wishes, FILE *out);

/* Tells for which channels two runs of the program may differ (explain_newest.c). */
void dal__explain_newest(const struct dal_plan *plan, FILE *out);

/* Explains a state machine: what each state wants of the applications, and where each event leads.
 * Returns as above. */
int dal_explain_fsm(const struct dal_spec_fsm *fsm, FILE *out);
