/*
 * From the plan to the text of the emitted folder. Nothing is written to disk here, so that what
 * cannot be made whole is not begun. The same input gives the same bytes.
 */
#pragma once

#include "spec/base/tree.h"
#include "spec/load/load.h"
#include "synth/plan/plan.h"

struct dal_emit {
    const struct dal_plan *plan;    /* the first of its group: dal_plan_peer() has the others */
    const struct dal_spec_fsm *fsm; /* over several applications, or NULL */
    const char *first_file;         /* as given: the network's, or the state machine's */
    const char *program;            /* name of the binary: dal_emit_program() */
    const char *source_dir;         /* dal_path_folder() of the first file */
    const char *output_dir;         /* absolute: where the folder will be */
    int is_library;         /* libNAME.so, libNAME.a, NAME.h and NAME.pc beside the program */
    const char *dal_cflags; /* options that find the runtime's headers, for compile_commands.json */
};

/* A file name after the network's or the state machine's, one that no target or file of the folder
 * has. The caller frees it; NULL when memory is exhausted. */
char *dal_emit_program(const char *name);

/* Refuses what no generated file may have in it, in names of folders. Returns DAL_OK, or
 * DAL_ERR_INVALID with the problem in diags. */
int dal_emit_check(struct dal_diags *diags, const struct dal_emit *emit);

/* Makes the whole tree. Returns DAL_OK, DAL_ERR_NOMEM or DAL_ERR_INTERRUPTED; the caller finishes
 * tree either way. */
int dal_emit(const struct dal_emit *emit, struct dal_tree *tree);
