/* An analysis as text, and as sizes. */
#ifndef DAL_SYNTH_COMMAND_ANALYZE_PRINT_H
#define DAL_SYNTH_COMMAND_ANALYZE_PRINT_H

#include "spec/base/diag.h"
#include "spec/model/model.h"
#include "spec/sdf/report.h"

#include <stdio.h>

/* Whether so many iterations a time unit are reached: 1, 0, or -1 where nobody knows. */
int dal_analyze_keeps(struct dal_sdf_period period, double throughput);

/* Each prints the report of a specification. Returns DAL_OK or DAL_ERR_NOMEM. */

/* Tables to read. */
int dal_analyze_table(const struct dal_spec *spec, const struct dal_sdf_report *report, FILE *out);
/*
 * One JSON object on one line. Times are integers or, when they are fractions, strings "a/b"; a
 * network without a bound on throughput has the string "no bound". What was cut off by the time
 * limit has "proven":false and, as "at_least", what is proven; what is not known is null.
 */
int dal_analyze_json(const struct dal_spec *spec, const struct dal_sdf_report *report, FILE *out);

/* Writes the spec's mapping with the capacities of one point, "minimum", "fastest" or a number of
 * tokens, as sizes of the channels that have none, to a file. DAL_OK; DAL_ERR_INVALID with the
 * reason in diags where there is no such point; DAL_ERR_IO, logged; or DAL_ERR_NOMEM. */
int dal_analyze_sizes(struct dal_diags *diags, const struct dal_spec *spec,
                      const struct dal_sdf_report *report, const char *name, const char *file);

#endif
