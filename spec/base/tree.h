/*
 * The files of a folder, made in memory before any of them is written. One thread.
 */
#pragma once

#include "spec/base/text.h"

struct dal_tree_file {
    char *name;
    struct dal_text text;
    const void *bytes; /* instead of the text: owned by the specification */
    size_t count;
    int spare; /* only where there is none of this name, in whatever case */
};

/* The files of the folder, in the order in which they were added. */
struct dal_tree {
    struct dal_tree_file **files;
    size_t count, room;
    int lost;
};

/* A new, empty file; a text that goes nowhere when memory is exhausted (tree.lost). */
struct dal_text *dal_tree_add(struct dal_tree *tree, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A new file of bytes that outlive the tree. */
void dal_tree_add_bytes(struct dal_tree *tree, const void *bytes, size_t count, const char *format,
                        ...) __attribute__((format(printf, 4, 5)));
void dal_tree_finish(struct dal_tree *tree);
/* Writes the files into a folder that exists. Returns DAL_OK, or DAL_ERR_IO with errno set and the
 * file's name in *name. */
int dal_tree_write(const struct dal_tree *tree, int directory, const char **name);
