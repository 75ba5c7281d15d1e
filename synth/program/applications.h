/*
 * The applications of a program: networks with their mappings on one architecture. There are those
 * of a state machine, or one, without a name. Passes run over all of them, so that the problems of
 * all are told, and return DAL_OK or the first error: DAL_ERR_INVALID with the problems in diags,
 * or DAL_ERR_NOMEM. One thread.
 */
#pragma once

#include "spec/load/load.h"
#include "synth/plan/plan.h"
#include "synth/program/explain.h"

#include <stdio.h>

struct dal_application {
    const char *name; /* NULL of the only one */
    const char *network_file, *mapping_file;
    int is_made; /* mapping and architecture, for the cores: nobody has written them */
    struct dal_spec_define *defines; /* the command line's, for this application */
    size_t define_count;
    struct dal_spec *spec;
    struct dal_plan *plan;
};

/* The list of applications. It starts zeroed; finish it whatever a pass has returned. */
struct dal_applications {
    struct dal_spec_fsm *fsm; /* or NULL */
    struct dal_application *list;
    const struct dal_plan **plans; /* of them */
    size_t count;
    int guards;       /* windows are watched (net.h) */
    const char *dump; /* a pass behind which each plan is printed (dump.h), or NULL */
};

/* Is `pass` the name of a pass? */
int dal_applications_knows(const char *pass);
/* Prints the passes, a line each. */
void dal_applications_passes(FILE *out);

/* Makes a list of the only application. File names and names of defines are not copied. */
int dal_applications_only(struct dal_diags *diags, struct dal_applications *all,
                          const char *network_file, const char *mapping_file,
                          const struct dal_spec_define *defines, size_t define_count);

/* Makes the list of a state machine's applications. Defines are of APPLICATION.VARIABLE. */
int dal_applications_of_fsm(struct dal_diags *diags, struct dal_applications *all,
                            const char *fsm_file, const struct dal_spec_define *defines,
                            size_t define_count);

void dal_applications_finish(struct dal_applications *all);

/* Loads and checks the models of all XML files; `times_file` may be NULL. */
int dal_applications_load(struct dal_diags *diags, struct dal_applications *all,
                          const char *architecture_file, const char *times_file);
/* Decides where every token lives; `seconds` as in the plan. */
int dal_applications_place(struct dal_diags *diags, struct dal_applications *all, double seconds);
/* Decides capacities, order and units. */
int dal_applications_plan(struct dal_diags *diags, struct dal_applications *all);
/* Prints the tables of --explain; also returns what dal_explain() returns. */
int dal_applications_explain(const struct dal_applications *all, const struct dal_explain *wishes,
                             FILE *out);
