/* Verbs that check, plan and build a program. */
#pragma once

#include "synth/command/request.h"

/* Each returns an exit status, once all is told. */

/* Makes the program. */
int dal_verb_build(struct dal_request *request);
/* The same without writing anything; with `verify`, whether that program was made from this. */
int dal_verb_check(struct dal_request *request);
/* Checks, and prints the plan. */
int dal_verb_explain(struct dal_request *request);
/* Makes the program and becomes it, with `arguments`. */
int dal_verb_run(struct dal_request *request);
