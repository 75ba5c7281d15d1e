/*
 * Translates messages of compilers to the user's files.
 */
#pragma once

#include "synth/codegen/emit/emit.h"

/* Turns gcc's messages about users' sources into entries of diags, under the names by which the
 * user knows the files. Messages about files in `directory`, where it was built, are left out. With
 * `failed` and no error found among them, they are unknown. */
void dal_messages_compiler(struct dal_diags *diags, const struct dal_emit *emit,
                           const char *directory, const char *output, int failed);

/* Prints all of the output of a build that failed, as it is, and an error that says so: at each
 * source that was not compiled, or at the first file if it was none. */
void dal_messages_unknown(struct dal_diags *diags, const struct dal_emit *emit, const char *output);

/* Returns a port with a channel of a process with that source. Its name has `length` characters,
 * and the channel's tokens have so many bytes (0: any). NULL if there is none. */
const struct dal_spec_port *dal_messages_port(const struct dal_emit *emit, const char *source,
                                              const char *name, size_t length,
                                              unsigned long long bytes);

/* Notes the channel whose blocks are the reason that a constant of them, of which an error at a
 * place tells, is not there. The error's text has so many bytes. */
void dal_messages_blocks(struct dal_diags *diags, const struct dal_emit *emit,
                         struct dal_spec_place place, const char *text, int length);

/* Prints what a program said of its kernels, with the names of their files made paths. Its
 * compilers' counts of warnings are left out, since the warnings themselves are there. */
void dal_messages_program(const struct dal_emit *emit, const char *output, FILE *out);
