/* Digests of what a program is made from: dalsynth writes them into it, and can compare them. One
 * thread. */
#pragma once

#include "synth/codegen/emit/emit.h"

enum { DAL_MADE_DIGEST = 33 }; /* hexadecimal digits, and a zero */

/* A thing that a program is made from: a specification; the variables, which -D may have changed;
 * or the sources, with headers and libraries that they name, and the initial tokens. */
struct dal_made {
    char *what;       /* "network", of several applications "network of APPLICATION" */
    const char *file; /* without folders; "" for a thing that is no file */
    char digest[DAL_MADE_DIGEST];
};

struct dal_made_list {
    struct dal_made *list;
    size_t count, room;
};

/* Finds all these things, in order. Uses the plans of emit, its state machine and its first file.
 * DAL_OK, DAL_ERR_NOMEM, or DAL_ERR_IO where a file cannot be read any more, logged. */
int dal_made_find(const struct dal_emit *emit, struct dal_made_list *made);
void dal_made_finish(struct dal_made_list *made);
