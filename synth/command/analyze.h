/*
 * dalsynth --analyze: analyses a network before it runs.
 */
#ifndef DAL_SYNTH_COMMAND_ANALYZE_H
#define DAL_SYNTH_COMMAND_ANALYZE_H

#include "spec/model/model.h"
#include "spec/sdf/report.h"

#include <stdio.h>

struct dal_analyze {
    const char *network_file; /* or a graph of SDF3; then no other file, but times */
    const char *processor;    /* of such a graph, or NULL (spec/dialects/sdf3/sdf3.h) */
    const char *architecture_file, *mapping_file; /* both or neither; they choose the sources */
    const struct dal_spec_define *defines;
    size_t define_count;
    const char *times_file; /* JSON with execution times, or NULL */
    int json;               /* instead of a table */
    int pareto;
    const char
        *sizes; /* the point whose capacities a mapping gets, or NULL; with all three files */
    const char *output; /* file for that mapping */
    double seconds;     /* for all searches together; 0: as many as are usual */
};

/* A network and its analysis. */
struct dal_analysis {
    struct dal_spec *spec; /* of dal_spec_load_unchecked(), or of a graph of SDF3 */
    int has_report;
    struct dal_sdf_report report;
    struct dal_sdf_overlap *overlap; /* the report's */
    uint64_t *times;                 /* by process number */
};

/* Loads and analyses; `json`, `sizes` and `output` are for others. Returns DAL_OK, also if the
 * network cannot run; DAL_ERR_INVALID with the reasons in diags if it cannot be read; or another
 * negative code. The caller finishes the analysis in any case. */
int dal_analysis_make(struct dal_diags *diags, const struct dal_analyze *wishes,
                      struct dal_analysis *analysis);
/* Are its rates consistent, and is there no deadlock? */
int dal_analysis_can_run(const struct dal_analysis *analysis);
void dal_analysis_finish(struct dal_analysis *analysis);

/* Prints the result. Returns DAL_OK, DAL_ERR_INVALID when the network cannot run or cannot be read,
 * with the reasons in diags, or another negative code. */
int dal_analyze(struct dal_diags *diags, const struct dal_analyze *wishes, FILE *out);

#endif
