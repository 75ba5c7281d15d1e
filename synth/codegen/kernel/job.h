/*
 * One variant of a kernel's source, with what the reader found in it for its process. kernel.c
 * chooses the kernel, signature.c checks it against the process, place.c writes it.
 */
#pragma once

#include "synth/codegen/clang/reader.h"
#include "synth/plan/plan.h"

/* The argument of a kernel that is told the phase. */
#define DAL__PHASE "DAL_PHASE"

struct dal__job {
    struct dal_diags *diags;
    struct dal_plan_unit *unit;
    const struct dal_variant *variant;
    struct dal_reading reading; /* of its source */
    struct dal_facts original;  /* of the files themselves; read when something is wrong */
    const struct dal_fact *kernel;
    const struct dal_fact **args;   /* one a port */
    const struct dal_fact **counts; /* one a counted port */
    struct dal_plan_value *values;  /* as those of the unit */
};

/* Returns the next fact of a kind behind `fact`, which is the kernel or about it; NULL without
 * one. */
const struct dal_fact *dal__job_next(const struct dal__job *job, enum dal_fact_kind kind,
                                     const struct dal_fact *fact);

/* Returns where a thing stands in the user's files, with its column. */
struct dal_spec_place dal__job_place(struct dal__job *job, const struct dal_fact *fact);

/* Reads the files themselves, for folders and columns: the preprocessor keeps only lines. */
const struct dal_facts *dal__job_original(struct dal__job *job);

/* Is an argument meant for a value: by its name, or by its type where the name means nothing? */
int dal__is_value(const struct dal_spec_process *process, const struct dal_fact *arg);

/* Fills in and checks the kernel's arguments. Checks its work-items, and settles their number where
 * nobody has given it. DAL_OK, DAL_ERR_NOMEM, DAL_ERR_INTERRUPTED, or DAL_ERR_INVALID with the
 * problems in diags. */
int dal__check_signature(struct dal__job *job);

/* Adds the variant's text with the kernel in it, or behind it where something calls the user's. */
void dal__add_in_place(struct dal_text *text, const struct dal__job *job);
