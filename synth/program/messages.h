/*
 * Translates messages of compilers to the user's files.
 */
#pragma once

#include "synth/codegen/emit/emit.h"

/* Turns gcc's messages about users' sources into entries of diags, under the names by which the
 * user knows the files. Messages about files in `directory`, where it was built, are left out. With
 * `failed` and no error found among them, all of the output goes to standard error as it is, and an
 * error says so. */
void dal_messages_compiler(struct dal_diags *diags, const struct dal_emit *emit,
                           const char *directory, const char *output, int failed);

/* Prints what a program said of its kernels, with the names of their files made paths. Its
 * compilers' counts of warnings are left out, since the warnings themselves are there. */
void dal_messages_program(const struct dal_emit *emit, const char *output, FILE *out);
