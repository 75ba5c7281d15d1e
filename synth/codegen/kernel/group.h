/*
 * The header for the files that make the kernel of a group. group.c says which processes can be in
 * it, group_text.c writes it, with what function.c makes of their kernels.
 */
#pragma once

#include "synth/plan/plan.h"

/* A group that is made; its parts are the units of its processes, each once. */
struct dal__maker {
    struct dal_plan *plan; /* NULL for a process by itself, in a group of its own */
    struct dal_plan_group *group;
    const struct dal_plan_unit **parts; /* room for one a member */
    size_t part_count;
    struct dal_text *text;
    struct dal_plan_process *culprit; /* the process that cannot be in it */
    char *reason;
};

/* Finds whether another kernel can call a unit's kernel. DAL_OK, DAL_ERR_NOMEM, or
 * DAL_ERR_UNSUPPORTED with the reason, which the caller frees. */
int dal__group_obstacle(const struct dal_plan_unit *unit, char **reason);

/* Makes unit.text of a kernel of OpenCL C with phases: a kernel that calls it once for each firing
 * of a cycle. Returns as dal__group_text(). */
int dal__phases_text(struct dal_plan_unit *unit);

/* Fills in maker.parts and maker.text. DAL_OK, DAL_ERR_NOMEM, or DAL_ERR_UNSUPPORTED where a source
 * is not as its facts say. */
int dal__group_text(struct dal__maker *maker);
