/*
 * Kernels as functions of another kernel, which calls them for their firings (group_text.c). The
 * text of a unit is that of its source, or, of a portable source, that of a kernel made of it.
 */
#pragma once

#include "synth/plan/plan.h"

/* The variants that the text of a unit's part is made from. */
const struct dal_variants *dal__function_variants(const struct dal_plan_unit *unit);
/* Returns the unit's kernel in one of them; NULL where it cannot be used. */
const struct dal_fact *dal__function_kernel(const struct dal_variant *variant,
                                            const struct dal_plan_unit *unit);
/* May its work-items wait for each other: in this function, or in any for NULL? */
int dal__function_waits(const struct dal_plan_unit *unit, const char *name);
/* Has the kernel variables in local memory? */
int dal__function_has_locals(const struct dal_plan_unit *unit);

/* Adds what stands in front of all functions of a kernel with work-items of that shape, and behind
 * them: each of them is told that its work-group is the only one. */
void dal__open_functions(struct dal_text *text, const uint32_t *shape);
void dal__close_functions(struct dal_text *text);

/* Is the kernel called once for each firing of a cycle? A portable source goes through the phases
 * itself. */
int dal__has_phases(const struct dal_plan_unit *unit);

/* Adds a unit's text with its kernel as a function, and dal__fire_NUMBER(), which calls that: by
 * ports in their order, then values, the phase and local memory. DAL_OK,
 * DAL_ERR_NOMEM, or DAL_ERR_UNSUPPORTED where a source is not as its facts say. */
int dal__add_function(struct dal_text *text, const struct dal_plan_unit *unit, size_t number);
