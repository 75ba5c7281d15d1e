/*
 * From the tree in memory to a folder on disk with a program in it: all of it or nothing.
 */
#ifndef DAL_SYNTH_PROGRAM_BUILD_H
#define DAL_SYNTH_PROGRAM_BUILD_H

#include "synth/codegen/emit/emit.h"

/*
 * Writes the tree to a new folder beside the output folder, runs make there, lets the program
 * build its kernels (PROGRAM --check), and only then gives the folder its name. A folder that
 * dalsynth made before is replaced, an empty one too, any other is refused; so is a symbolic link,
 * and a folder with one of the specifications or sources in it. With `emit_only` the program is not
 * built; with `strict` its check takes neither other devices nor fallbacks. On any failure and any
 * signal, the new folder is removed; what is left behind by SIGKILL, by the next run for the same
 * output.
 *
 * Compiler messages about users' sources go to diags ("source-build"). Returns DAL_OK,
 * DAL_ERR_INVALID or DAL_ERR_BUILD with the problem in diags or printed, DAL_ERR_INTERRUPTED, or
 * another code, logged. After dal_child_guard().
 */
int dal_build(struct dal_diags *diags, const struct dal_emit *emit, const struct dal_tree *tree,
              int emit_only, int strict);

/* Removes a folder with all that is in it, if it is there; a warning says what cannot be removed.
 */
void dal_build_remove(const char *path);

/* Lets make find this installation's dal.pc, or the build folder's that dalsynth runs from, and a
 * make above not speak to the one below. Before other threads start. Returns DAL_OK or
 * DAL_ERR_NOMEM. */
int dal_build_environment(void);

/* What pkg-config --cflags dal prints, or the value of DAL_CFLAGS; "" when there is neither. The
 * caller frees it; NULL when memory is exhausted. */
char *dal_build_cflags(void);

#endif
