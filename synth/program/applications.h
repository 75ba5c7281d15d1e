/*
 * The applications of a program: networks with their mappings on one architecture. There are those
 * of a state machine, or one, without a name. Passes run over all of them, so that the problems of
 * all are told, and return DAL_OK or the first error: DAL_ERR_INVALID with the problems in diags,
 * or DAL_ERR_NOMEM. One thread.
 */
#ifndef DAL_SYNTH_PROGRAM_APPLICATIONS_H
#define DAL_SYNTH_PROGRAM_APPLICATIONS_H

#include "spec/load/fsm.h"
#include "synth/program/explain.h"
#include "synth/plan/plan.h"

#include <stdio.h>

struct dal_application {
    const char *name; /* NULL of the only one */
    const char *network_file, *mapping_file;
    struct dal_spec_define *defines; /* those of the command line that are for it */
    size_t define_count;
    struct dal_spec *spec;
    struct dal_plan *plan;
};

/* Starts zeroed, and is finished whatever a pass has returned. */
struct dal_applications {
    struct dal_spec_fsm *fsm; /* or NULL */
    struct dal_application *list;
    const struct dal_plan **plans; /* of them */
    size_t count;
};

/* The only one; file names and names of defines are not copied. */
int dal_applications_only(struct dal_diags *diags, struct dal_applications *all,
                          const char *network_file, const char *mapping_file,
                          const struct dal_spec_define *defines, size_t define_count);

/* Those of a state machine; defines are of APPLICATION.VARIABLE. */
int dal_applications_of_fsm(struct dal_diags *diags, struct dal_applications *all,
                            const char *fsm_file, const struct dal_spec_define *defines,
                            size_t define_count);

void dal_applications_finish(struct dal_applications *all);

/* XML to model, checked; `times_file` may be NULL. */
int dal_applications_load(struct dal_diags *diags, struct dal_applications *all,
                          const char *architecture_file, const char *times_file);
/* Where every token lives; `seconds` as in the plan. */
int dal_applications_place(struct dal_diags *diags, struct dal_applications *all, double seconds);
/* Capacities, order, units. */
int dal_applications_plan(struct dal_diags *diags, struct dal_applications *all);
/* The tables of --explain; also what dal_explain() returns. */
int dal_applications_explain(const struct dal_applications *all, const struct dal_explain *wishes,
                             FILE *out);

#endif
