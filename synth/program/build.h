/*
 * Writes the tree in memory to a folder on disk, and builds the program in it: all or nothing.
 */
#pragma once

#include "synth/codegen/emit/emit.h"

/*
 * Writes the tree to a new folder beside the output folder, runs make there, and lets the program
 * build its kernels (PROGRAM --check). Only then does the folder get its name. It replaces a folder
 * that dalsynth made before, or an empty one. Any other folder is refused; so is a symbolic link,
 * and a folder with one of the specifications or sources in it. With `emit_only` the program is not
 * built; with `strict` its check takes neither other devices nor fallbacks. On any failure and any
 * signal, the new folder is removed. After SIGKILL, the next run for the same output removes it.
 *
 * Compiler messages about users' sources go to diags ("source-build"). Returns DAL_OK,
 * DAL_ERR_INVALID or DAL_ERR_BUILD with the problem in diags or printed, DAL_ERR_INTERRUPTED, or
 * another code, logged. Call it after dal_child_guard().
 */
int dal_build(struct dal_diags *diags, const struct dal_emit *emit, const struct dal_tree *tree,
              int emit_only, int strict);

/* Could it write a folder of this absolute name, as far as can be told before there is a plan?
 * Makes one beside it, which goes again. DAL_OK, or DAL_ERR_INVALID with the problem in diags. */
int dal_build_check(struct dal_diags *diags, const char *directory);

/* Removes a folder with all that is in it, if it is there. Warns of what cannot be removed. */
void dal_build_remove(const char *path);

/* Lets make find this installation's dal.pc, or the one of the build folder that dalsynth runs
 * from. Keeps a make that runs dalsynth from talking to the make that dalsynth runs. Call it before
 * other threads start. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal_build_environment(void);

/* Returns what pkg-config --cflags dal prints, or the value of DAL_CFLAGS; "" without either. The
 * caller frees it; NULL when memory is exhausted. */
char *dal_build_cflags(void);
