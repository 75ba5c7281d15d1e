/*
 * Asks for the size of a type in a header. Only a compiler knows it, and this library calls none. A
 * program that has one (dalsynth and dalmap: synth/codegen/c/type.c) sets a function to ask before
 * it loads anything. In a program without one, tokensize has to be given. Set once, by one thread;
 * asked by any.
 */
#pragma once

#include <stdint.h>

struct dal_spec_type {
    const char *type;    /* of C, as "struct frame" */
    const char *header;  /* the file that has it; it is there */
    const char *folder;  /* folder in which paths in the options begin */
    const char *options; /* of the source that has such tokens; or NULL */
    int cxx;             /* true when that source is C++ */
};

struct dal_spec_type_size {
    uint64_t bytes; /* > 0; or 0, and why: */
    char why[400];  /* in words behind "its type 'struct frame'" */
    int is_unread;  /* the header has errors, of which another compiler may know none */
};

/* Fills in *size. Returns DAL_OK, or what ends the loading. */
typedef int dal_spec_sizer(const struct dal_spec_type *type, struct dal_spec_type_size *size);

/* Sets the function; NULL, as without a call, means that there is no compiler. */
void dal_spec_ask_sizes(dal_spec_sizer *sizer);
