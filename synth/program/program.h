/* Makes a program from plans: its folder in memory, then on disk. One thread. */
#pragma once

#include "synth/codegen/emit/emit.h"
#include "synth/program/applications.h"

/* A program on its way to the disk; starts zeroed. */
struct dal_program {
    char *name;       /* of the binary */
    char *source_dir; /* of the first file */
    char *output_dir; /* absolute */
    char *dal_cflags;
    struct dal_emit emit;
    struct dal_tree tree;
};

/* Can the folder be made, or be replaced? Asked before the work begins; changes nothing. DAL_OK,
 * DAL_ERR_INVALID with the problem in diags, or another code. */
int dal_program_check(struct dal_diags *diags, const char *output);

/*
 * Makes the folder in memory. `first_file` is the network's or the state machine's; `output` is the
 * folder, or NULL for one of the program's name. `library` is the name of a library, "" for the
 * network's, or NULL for a program alone. The plans and all names outlive the program. Call
 * it after dal_child_guard() and dal_build_environment(). Returns DAL_OK, DAL_ERR_INVALID with the
 * problem in diags, or another code. Call dal_program_finish() in all cases; dal_build()
 * (synth/program/build.h) is next.
 */
int dal_program_emit(struct dal_diags *diags, struct dal_program *program,
                     const struct dal_applications *applications, const char *first_file,
                     const char *output, const char *library);
void dal_program_finish(struct dal_program *program);

/* Returns the path of the binary, once it is built. The caller frees it; NULL without memory. */
char *dal_program_path(const struct dal_program *program);

/* Returns the first of two paths, relative to the folder of this program, that is there. The caller
 * frees it; NULL without one. */
char *dal_program_beside(const char *first, const char *second);
