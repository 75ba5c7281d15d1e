/*
 * The header for the files that make the kernel of a group. group.c says which processes can be in
 * it, group_text.c writes it.
 */
#ifndef DAL_SYNTH_CODEGEN_KERNEL_GROUP_H
#define DAL_SYNTH_CODEGEN_KERNEL_GROUP_H

#include "synth/codegen/clang/reader.h"
#include "synth/codegen/kernel/variants.h"
#include "synth/plan/plan.h"

/* A group that is made; its parts are the units of its processes, each once. */
struct dal__maker {
    struct dal_diags *diags;
    struct dal_plan *plan;
    struct dal_plan_group *group;
    const struct dal_plan_unit **parts; /* room for one a member */
    size_t part_count;
    struct dal_text *text;
    struct dal_plan_process *culprit; /* the process that cannot be in it */
    char *reason;
};

/* The variants that the text of a unit's part is made from. */
const struct dal_variants *dal__group_variants(const struct dal_plan_unit *unit);
/* Returns the unit's kernel in one of them; NULL where it cannot be used. */
const struct dal_fact *dal__group_kernel(const struct dal_variant *variant,
                                         const struct dal_plan_unit *unit);
/* May its work-items wait for each other? */
int dal__group_waits(const struct dal_plan_unit *unit);
/* Has the kernel variables in local memory? */
int dal__group_has_locals(const struct dal_plan_unit *unit);

/* The argument of a kernel that is told the phase. */
#define DAL__PHASE "DAL_PHASE"

/* Returns why another kernel cannot call a unit's kernel. NULL where it can, or memory is
 * exhausted, which *error then tells. The caller frees it. */
char *dal__group_obstacle(const struct dal_plan_unit *unit, int *error);

/* Makes unit.text of a kernel of OpenCL C with phases: a kernel that calls it once for each firing
 * of a cycle. Returns as dal__group_text(). */
int dal__phases_text(struct dal_plan_unit *unit);

/* Fills in maker.parts and maker.text. DAL_OK, DAL_ERR_NOMEM, or DAL_ERR_UNSUPPORTED where a source
 * is not as its facts say. */
int dal__group_text(struct dal__maker *maker);

#endif
