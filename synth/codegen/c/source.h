/*
 * Users' sources, and the translation units that are made of them. One thread.
 */
#pragma once

#include "synth/plan/plan.h"

/* The last pass over a plan: fills in its units, with the sources read and the kernels rewritten,
 * and the name of the file of its tables. Returns DAL_OK, DAL_ERR_NOMEM, or DAL_ERR_INVALID with
 * the problems in diags. */
int dal_source_units(struct dal_diags *diags, struct dal_plan *plan);

/* Find which C sources keep nothing from one firing to the next, or why that is not known: spec's
 * keeps_nothing and doubt. The first looks at processes that several cores may fire and that do not
 * say whether they are stateless; what is read stays in the plan for its units. The second is for a
 * spec without a plan: for those, or for `all` whose source a core can run. The third takes what
 * the units have told. DAL_OK, DAL_ERR_NOMEM or DAL_ERR_INTERRUPTED; problems of a source are not
 * reported. */
int dal_source_prove(struct dal_spec *spec, struct dal_plan *plan);
int dal_source_prove_alone(struct dal_spec *spec, int all);
int dal_source_judge(struct dal_spec *spec, const struct dal_plan *plan);

/* Finds whether each of these C sources, or NULL for none, defines struct _local_states. Sets
 * `keeps` to 1 or 0, or to DAL_ERR_INVALID when the source cannot be read, which is not reported.
 * Returns DAL_OK, DAL_ERR_NOMEM or DAL_ERR_INTERRUPTED. */
int dal_source_keep_state(const struct dal_spec_source *const *sources, size_t count, int *keeps);

/* Meanings of PORT_x. */
enum { DAL_PORTS_NONE, DAL_PORTS_NAMED, DAL_PORTS_NUMBERED };

/* Adds the #defines of a unit: sizes and rates of its ports, the network's variables; with
 * `names`, also the ports' names or numbers (PORT_x), their types (TOKEN_x_t, plain bytes) and what
 * DAL_foreach makes of them. What the source defines itself is left to it. */
void dal_source_constants(struct dal_text *text, const struct dal_plan *plan,
                          const struct dal_plan_unit *unit, int names);

/* Adds the options of a source that its device's compiler is given. The -D of a portable one stand
 * in its text. */
void dal_source_options(struct dal_text *options, const struct dal_spec_source *source);

/* Checks the plan behind dal_source_units(). Warns of teams that are too small and of what OpenMP
 * does in no fixed order. Checks that the compiler has OpenMP, where processes have threads.
 * Returns DAL_OK, DAL_ERR_NOMEM, DAL_ERR_INTERRUPTED, or DAL_ERR_INVALID with the problem in
 * diags. */
int dal_source_openmp(struct dal_diags *diags, const struct dal_plan *plan);
/* The options for OpenMP that a C unit is compiled with; NULL for none. */
const char *dal_source_openmp_options(const struct dal_plan_unit *unit);

/* Adds checks, to stand behind the source, that what it defines itself fits the network. */
void dal_source_checks(struct dal_text *text, const struct dal_plan_unit *unit);
