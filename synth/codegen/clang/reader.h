/*
 * Finds what a source defines, as a compiler sees it. libclang reads it once, with the options and
 * folders that it is built with. The text that stands in front of it in its unit comes first.
 *
 * It is read in a process of its own, which has DAL_READER_SECONDS: if it crashes the library,
 * dalsynth goes on. The source need not be right; its errors are among the facts. The compiler that
 * builds the program has the last word.
 */
#ifndef DAL_SYNTH_CODEGEN_CLANG_READER_H
#define DAL_SYNTH_CODEGEN_CLANG_READER_H

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
    const char *text;                 /* what stands for the file's text, or NULL */
    const char *folder;               /* the folder where paths in options begin */
    const char *options;              /* of the source */
    const char *headers;              /* OpenCL C: a folder with headers of ours, or NULL */
    const char *front;                /* whole lines: constants of its ports */
    const struct dal_text *set_aside; /* macros of the options that mean nothing in front: a list */
    const struct dal_text *defines;   /* OpenCL C: more options, a list; or NULL */
    const struct dal_portable *portable; /* it is one; or NULL */
    const char *type; /* the source is a header, of which a type is asked for; or NULL */
    char *said;       /* by the reader, when it was read ahead; or NULL */
};

/*
 * The facts of an OpenCL source, beside "error". Offsets are of its text; the places are those that
 * its #line say. "parameter", "size", "local" and "use" are of the "function" in front of
 * them.
 *
 * function   that has a body: its type (text); numbers as in enum dal_function_fact
 * parameter  its type, as written and without other names (more); numbers as in enum
 *            dal_parameter_fact
 * size       three numbers: reqd_work_group_size
 * local      a variable in local memory; numbers as in enum dal_local_fact, and why it cannot be
 *            declared elsewhere (text)
 * use        of one of those, at numbers[0]
 * prototype  a function without a body
 * call       of a function of the source
 * name       of something outside of all functions
 * meets      a function that all work-items of a work-group have to reach is called in the source
 * CUDA C++ has all of these facts but "local", "use", "memory" and "cuda".
 *
 * memory     a variable in local or constant memory: the macro (name) for the word at numbers[0],
 *            of numbers[1] bytes, that says so; in the order of the text
 * cuda       what CUDA lacks, in words (name), which stand for its compiler's about that line
 * never      what CUDA would take for something else, in words (name)
 *
 * error      its message (name), and "syntax" where the text cannot be parted (text)
 */
enum dal_function_fact {
    DAL_FUNCTION_IS_KERNEL,
    DAL_FUNCTION_KEYWORD,       /* behind "kernel" */
    DAL_FUNCTION_ARGUMENTS,     /* behind its "(" */
    DAL_FUNCTION_ARGUMENTS_END, /* at its ")" */
    DAL_FUNCTION_BODY,          /* behind its "{" */
    DAL_FUNCTION_END,           /* at its "}" */
    DAL_FUNCTION_BODY_LINE,     /* where its "{" stands */
    DAL_FUNCTION_START,         /* a kernel's start, behind what stands before it */
    DAL_FUNCTION_NAME,
};
enum dal_local_fact { DAL_LOCAL_START, DAL_LOCAL_END }; /* of its declaration, with the others */
enum dal_parameter_fact {
    DAL_PARAMETER_POINTS_TO, /* an enum dal_target */
    DAL_PARAMETER_VALUE,     /* an enum dal_value_type of net.h and 1; 0 for another type */
    DAL_PARAMETER_IS_ARRAY,
    DAL_PARAMETER_IS_CONST, /* what it points to */
    DAL_PARAMETER_IS_VOLATILE,
    DAL_PARAMETER_START,
    DAL_PARAMETER_NAME,
    DAL_PARAMETER_END,
};
enum dal_target {
    DAL_TARGET_NONE, /* it is no plain pointer */
    DAL_TARGET_GLOBAL,
    DAL_TARGET_LOCAL,
    DAL_TARGET_CONSTANT,
    DAL_TARGET_OTHER,
};

/*
 * The facts of a portable source:
 *
 * refused    why it is no such source (name)
 * text       a line of the device's text behind what stands in front (name), in their order
 */

/*
 * The facts of OpenMP in a C source (tree_openmp.c):
 *
 * openmp     a directive
 * reduction  of a variable of floating point (name), whose result depends on the order; its
 *            operation (text); "simd" where lanes of a vector have a part each, "both" where
 *            threads have, too, or "" (more)
 * refused    ports in a parallel region
 */

/*
 * The facts of a type in a header, beside "error": either
 *
 * unusable   why no token can be of it, in words behind its name (name)
 *
 * or its layout in memory. The layout of a kernel's argument stands among the facts of the kernel's
 * source (text: the argument). That of a port's type in a portable source stands among the facts of
 * the source (text: the port).
 *
 * layout     its type as it is written (name); numbers[0] is its bytes
 * member     a member that has none (name, as "at.x"; "" of a type that is no structure), its type
 *            (more); numbers as in enum dal_member_fact. An array of structures has the members of
 *            its first one.
 */
enum dal_member_fact {
    DAL_MEMBER_OFFSET,  /* in bytes */
    DAL_MEMBER_BYTES,   /* of the whole, with all elements of an array or a vector */
    DAL_MEMBER_ELEMENT, /* bytes of one */
    DAL_MEMBER_KIND,    /* an enum dal_member_kind */
};
enum dal_member_kind {
    DAL_MEMBER_INTEGER,
    DAL_MEMBER_REAL,
    DAL_MEMBER_RECORDS, /* an array of structures, whose members stand behind it */
    DAL_MEMBER_ADDRESS, /* a pointer, or as large as one: not of one size on all devices */
    DAL_MEMBER_BOOL,
    DAL_MEMBER_BITS, /* a bit-field */
    DAL_MEMBER_OTHER,
};

/* Returns DAL_OK, DAL_ERR_NOMEM, DAL_ERR_INTERRUPTED when a signal came, or DAL_ERR_SYSTEM when the
 * reader has ended without a result, or was ended (logged). Whatever it returns, the caller
 * finishes the facts. Takes reading.said over where there is one, and reads else. */
int dal_read_source(struct dal_reading *reading, struct dal_facts *facts);

/* Reads many sources in a few processes, one a core, and fills in what was said of each, for the
 * caller to free. That is NULL where the reader ended, or took longer than DAL_AHEAD_SECONDS: such
 * a source, and some behind it, are to be read alone. Returns DAL_OK, DAL_ERR_NOMEM, or
 * DAL_ERR_INTERRUPTED. */
int dal_read_ahead(struct dal_reading *readings, size_t count);

/* The reader itself, in its process: adds a line a fact. Returns DAL_OK or DAL_ERR_SYSTEM. Leaves
 * the folder that it was called in. */
int dal__ast_read(const struct dal_reading *reading, struct dal_text *facts);
void dal__fact_write(struct dal_text *lines, const struct dal_fact *fact);

#endif
