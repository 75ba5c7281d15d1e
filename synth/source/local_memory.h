/*
 * The variables of a kernel in local memory. Not every driver says how many bytes they have, and
 * some end the program at a launch that needs more than there is: so the text itself can be asked.
 *
 * What is added expands to nothing, unless DAL_LOCAL_BYTES is defined: the text then builds only if
 * the variables together have at most so many bytes. Their sizes are the device's compiler's.
 *
 * OpenCL C declares them in the outermost scope of the kernel. Seen are declarations that say
 * local or __local; not those whose type is a typedef of local memory.
 */
#ifndef DAL_SYNTH_SOURCE_LOCAL_MEMORY_H
#define DAL_SYNTH_SOURCE_LOCAL_MEMORY_H

#include "synth/source/scan.h"
#include "synth/text.h"

struct dal_local {
    struct dal_token name;
    const char *behind; /* its declaration's ";" */
};

struct dal_locals {
    struct dal_local *list;
    size_t count, room;
    const char *end; /* at the body's "}" */
};

/* Looks in the body that starts at `body`, in a whole text without macros. Returns DAL_OK or
 * DAL_ERR_NOMEM; the caller finishes `locals` either way. */
int dal_locals_find(struct dal_locals *locals, const struct dal_text *source, const char *body);
void dal_locals_finish(struct dal_locals *locals);

/* For the top of the program: whole lines; nothing when there are no variables. */
void dal_locals_add_macros(struct dal_text *text, const struct dal_locals *locals);
/* The source from the body to the end, on the same lines. */
void dal_locals_add_body(struct dal_text *text, const struct dal_locals *locals,
                         const struct dal_text *source, const char *body);

#endif
