/*
 * What a C source defines, as a compiler sees it: libclang reads it once, with the options and the
 * folders that it is built with, behind the text that stands in front of it in its unit.
 *
 * It is read in a process of its own, which has DAL_READER_SECONDS: what a source does to the
 * library does nothing to dalsynth. The source need not be right; what is wrong with it is among
 * the facts, and the compiler that builds the program has the last word.
 */
#ifndef DAL_SYNTH_SOURCE_READER_H
#define DAL_SYNTH_SOURCE_READER_H

#include "synth/plan/facts.h"
#include "synth/text.h"

enum { DAL_READER_SECONDS = 30 };

/* What is read. */
struct dal_reading {
    const char *path;                 /* the source's file */
    const char *text;                 /* what stands for the file's text, or NULL */
    const char *folder;               /* where paths in options begin */
    const char *options;              /* of the source */
    const char *front;                /* whole lines: constants of its ports */
    const struct dal_text *set_aside; /* macros of the options that mean nothing in front: a list */
};

/* Returns DAL_OK, DAL_ERR_NOMEM, DAL_ERR_INTERRUPTED when a signal came, or DAL_ERR_SYSTEM when the
 * reader has ended without a result, or was ended (logged). Whatever it returns, the caller
 * finishes the facts. */
int dal_read_c(const struct dal_reading *reading, struct dal_facts *facts);

/* The reader itself, in its process: adds a line a fact, its fields parted by tabs. Returns DAL_OK
 * or DAL_ERR_SYSTEM. Leaves the folder that it was called in. */
int dal__tree_read(const struct dal_reading *reading, struct dal_text *facts);

#endif
