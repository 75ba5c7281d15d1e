/*
 * dal analyze, dalsynth --analyze: analyses a network before it runs.
 */
#pragma once

#include "spec/sdf/report.h"
#include "synth/command/request.h"

/* A network and its analysis. */
struct dal_analysis {
    struct dal_spec *spec; /* of dal_spec_load_unchecked(), or of a graph of SDF3 */
    int has_report;
    struct dal_sdf_report report;
    struct dal_sdf_overlap *overlap; /* the report's */
    uint64_t *times;                 /* by process number */
};

/*
 * Loads and analyses the network of a request, or its graph of SDF3, which has no other file but
 * times. Its architecture and mapping, both or neither, choose the sources. Returns DAL_OK, also if
 * the network cannot run; DAL_ERR_INVALID with the reasons in diags if it cannot be read; or
 * another negative code. The caller finishes the analysis in any case.
 */
int dal_analysis_make(struct dal_diags *diags, const struct dal_request *request,
                      struct dal_analysis *analysis);
/* Are its rates consistent, and is there no deadlock? */
int dal_analysis_can_run(const struct dal_analysis *analysis);
void dal_analysis_finish(struct dal_analysis *analysis);

/* Prints the result, and writes a mapping for `sizes`. An exit status, once all is told; that of a
 * network that cannot run is no success. */
int dal_verb_analyze(struct dal_request *request);
