/*
 * The header for the files that make a device's text of a portable source: tree_portable.c; what is
 * changed in its files, in tree_edits.c; and C's functions of floating point, in tree_math.c.
 */
#pragma once

#include "synth/codegen/clang/tree.h"

/* ---- tree_math.c ----------------------------------------------------------------------------- */

/* Adds functions of ours that stand for them, and macros of C's names: those of a list, or all for
 * NULL. */
void dal__ast_add_math(struct dal_text *text, const struct dal_text *used);
/* Has OpenCL C, or what stands in front, a function of this name? */
int dal__ast_is_taken(const char *name);

/* ---- tree_edits.c ---------------------------------------------------------------------------- */

/* A place in a file where something is put, or taken away. */
struct dal_edit {
    CXFile file;
    unsigned offset, length; /* of what is taken away */
    const char *text;        /* what is put there, or "" */
};

struct dal_edits {
    struct dal_ast *tree;
    struct dal_edit *list;
    size_t count, room;
    CXFile *files; /* that have been looked at */
    size_t file_count, file_room;
    int has_longs;              /* there was a "long long" */
    CXSourceLocation selection; /* of a "_Generic" */
};

void dal__ast_add_edit(struct dal_edits *edits, CXSourceLocation at, unsigned length,
                       const char *text);
/* Makes each "long long" of the source's files a long, which has as many bits on a device as that
 * has in C. In OpenCL C it has 128. */
void dal__ast_take_longs(struct dal_edits *edits);
/* Changes the files, for when they are parsed again. */
void dal__ast_change_files(struct dal_edits *edits);
