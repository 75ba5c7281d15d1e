/* Prints an analysis as text, or as sizes. */
#pragma once

#include "spec/base/diag.h"
#include "spec/model/model.h"
#include "spec/sdf/report.h"

#include <stdio.h>

/* Returns 1 when so many iterations a time unit are reached, 0 when not, and -1 when nobody
 * knows. */
int dal_analyze_keeps(struct dal_sdf_period period, double throughput);

/* Returns the number of open ports, whose processes the analysis leaves out as it does KPN ones. */
size_t dal_analyze_open(const struct dal_spec_network *network);

static inline int dal_analyze_is_kpn(const struct dal_spec_process *process)
{
    return process->kpn && !dal_spec_is_open(process);
}

/* Each prints the report of a specification. Returns DAL_OK or DAL_ERR_NOMEM. */

/* Prints tables to read. */
int dal_analyze_table(const struct dal_spec *spec, const struct dal_sdf_report *report, FILE *out);
/*
 * Prints one JSON object on one line. Times are integers or, when they are fractions, strings
 * "a/b"; a network without a bound on throughput has the string "no bound". Results that the time
 * limit cut off have "proven":false and, as "at_least", what is proven. Unknown results are null.
 */
int dal_analyze_json(const struct dal_spec *spec, const struct dal_sdf_report *report, FILE *out);

/* Writes the spec's mapping to a file, with the capacities of one point as sizes. The point is
 * "minimum", "fastest" or a number of tokens. Channels that have a size keep it. Returns DAL_OK;
 * DAL_ERR_INVALID with the reason in diags if there is no such point; DAL_ERR_IO, logged; or
 * DAL_ERR_NOMEM. */
int dal_analyze_sizes(struct dal_diags *diags, const struct dal_spec *spec,
                      const struct dal_sdf_report *report, const char *name, const char *file);
