/*
 * Finds what a source defines, as a compiler sees it. libclang reads it once, with the options and
 * folders that it is built with. The text that stands in front of it in its unit comes first.
 *
 * It is read in a process of its own, which has DAL_READER_SECONDS: if it crashes the library,
 * dalsynth goes on. The source need not be right; its errors are among the facts. The compiler that
 * builds the program has the last word.
 */
#pragma once

#include "spec/base/text.h"
#include "spec/model/model.h"
#include "synth/plan/facts.h"

#include <string.h>

enum { DAL_READER_SECONDS = 30, DAL_AHEAD_SECONDS = 5 };

/* Is this the name of no file? Preprocessors give such names to the place of their own macros and
 * of options. The reader gives one to what it adds behind a text. A #line may have invented the
 * name of a file: "<stdin>" too. */
static inline int dal__is_no_file(const char *name)
{
    return strcmp(name, "<built-in>") == 0 || strcmp(name, "<command-line>") == 0 ||
           strcmp(name, "<command line>") == 0 || strcmp(name, "<questions>") == 0;
}

/* A portable source, which is read as what a device gets. */
struct dal_portable {
    const struct dal_spec_process *process;
    const char *function;           /* name without the role of its functions */
    const char *fire;               /* the function, in the text */
    const char *kernel;             /* name of the kernel in front */
    const struct dal_facts *facts;  /* of the source as C */
    const struct dal_text *missing; /* headers that are not there yet: a list */
};

/* A source to be read, and how. */
struct dal_reading {
    const char *path; /* the source's file */
    int is_opencl;    /* a kernel's; else C, */
    int is_cxx;       /* or C++ */
    int is_cuda;      /* a kernel's: CUDA C++ */
    int is_made;  /* CUDA C++: the text is one of a unit, with words of OpenCL C, and only errors
                     are wanted */
    int openmp;   /* C: with OpenMP; else with its simd alone */
    int is_whole; /* OpenCL C: it has all of its text, and the files that its #line name are no more
                     looked at */
    const char *text;                    /* what stands for the file's text, or NULL */
    const char *folder;                  /* the folder where paths in options begin */
    const char *options;                 /* of the source */
    const char *headers;                 /* OpenCL C: a folder with headers of ours, or NULL */
    const char *prologue;                /* whole lines: constants of its ports */
    const struct dal_text *undefined;    /* macros of the options that it undefines: a list */
    const struct dal_text *defines;      /* OpenCL C: more options, a list; or NULL */
    const struct dal_portable *portable; /* it is one; or NULL */
    const char *type; /* the source is a header, of which a type is asked for; or NULL */
    char *output;     /* of the reader, when it was read ahead; or NULL */
};

/* Returns DAL_OK, DAL_ERR_NOMEM, DAL_ERR_INTERRUPTED when a signal came, or DAL_ERR_SYSTEM when the
 * reader has ended without a result, or was ended (logged). Whatever it returns, the caller
 * finishes the facts. Takes reading.output over where there is one, and reads else. */
int dal_read_source(struct dal_reading *reading, struct dal_facts *facts);

/* Reads many sources in a few processes, one a core, and fills in the output of each, for the
 * caller to free. That is NULL where the reader ended, or took longer than DAL_AHEAD_SECONDS: such
 * a source, and some behind it, are to be read alone. Returns DAL_OK, DAL_ERR_NOMEM, or
 * DAL_ERR_INTERRUPTED. */
int dal_read_ahead(struct dal_reading *readings, size_t count);

/* The reader itself, in its process: adds a line a fact. Returns DAL_OK or DAL_ERR_SYSTEM. Leaves
 * the folder that it was called in. */
int dal__ast_read(const struct dal_reading *reading, struct dal_text *facts);
