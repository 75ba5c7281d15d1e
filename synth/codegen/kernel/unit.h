/*
 * What the facts say of a unit whose kernel is a function in another one (function.h, words.c).
 */
#pragma once

#include "synth/plan/plan.h"

/* In front of a kernel's name where the user's cannot be the kernel's. */
#define DAL__KERNEL "dal__"
/* Returns the name in the user's source. */
const char *dal__kernel_name(const struct dal_plan_unit *unit);
/* Does something else in the text call the kernel, or declare it? */
int dal__kernel_is_used(const struct dal_variant *variant, const struct dal_fact *kernel);

/* The variants that the text of a unit's part is made from. */
const struct dal_variants *dal__function_variants(const struct dal_plan_unit *unit);
/* Returns the unit's kernel in one of them; NULL where it cannot be used. */
const struct dal_fact *dal__function_kernel(const struct dal_variant *variant,
                                            const struct dal_plan_unit *unit);
/* Returns what does its words: the kernel, or fire of a portable source; NULL as above. */
const struct dal_fact *dal__function_of_words(const struct dal_variant *variant,
                                              const struct dal_plan_unit *unit);
/* May its work-items wait for each other: in this function, or in any for NULL? */
int dal__function_waits(const struct dal_plan_unit *unit, const char *name);
/* Has the kernel variables in local memory? */
int dal__function_has_locals(const struct dal_plan_unit *unit);

/* Is the kernel called once for each firing of a cycle? A portable source goes through the phases
 * itself. */
int dal__has_phases(const struct dal_plan_unit *unit);
