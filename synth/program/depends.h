/*
 * --depends: what a program was made of, as compilers tell it to make. One thread.
 */
#pragma once

#include "synth/program/program.h"

/* Writes the rule. `read` has the paths that dalsynth read, a line each; those in the folder `own`
 * (or NULL) are its own affair. Headers are those that the compiler wrote down in the output
 * folder. Targets begin with that folder as the user gave it, or NULL. Returns DAL_OK, or an error
 * that is logged. */
int dal_depends_write(const struct dal_program *program, const struct dal_text *read,
                      const char *output, const char *own, const char *file);
