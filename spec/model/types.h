/*
 * How large a type of a header is. Only a compiler knows, and this library calls none: a program
 * that can ask one says so, before it loads anything (dalsynth and dalmap: synth/codegen/c/type.c).
 * In a program without one, tokensize has to be given. Set once, by one thread; asked by any.
 */
#ifndef DAL_SPEC_MODEL_TYPES_H
#define DAL_SPEC_MODEL_TYPES_H

#include <stdint.h>

struct dal_spec_type {
    const char *type;    /* of C, as "struct frame" */
    const char *header;  /* the file that has it; it is there */
    const char *folder;  /* where paths in the options begin */
    const char *options; /* of the source that has such tokens; or NULL */
    int cxx;             /* that source is C++ */
};

struct dal_spec_type_size {
    uint64_t bytes; /* > 0; or 0, and why: */
    char why[400];  /* in words behind "its type 'struct frame'" */
    int is_unread;  /* the header has errors, of which another compiler may know none */
};

/* Fills in *size. Returns DAL_OK, or what ends the loading. */
typedef int dal_spec_sizer(const struct dal_spec_type *type, struct dal_spec_type_size *size);

/* NULL, as without a call: there is no compiler. */
void dal_spec_ask_sizes(dal_spec_sizer *sizer);

#endif
