/*
 * A kernel's source as one text. The place of every line is known, for messages.
 */
#ifndef DAL_SYNTH_SOURCE_EXPAND_H
#define DAL_SYNTH_SOURCE_EXPAND_H

#include "spec/model.h"
#include "synth/text.h"

struct dal_expanded {
    struct dal_text text; /* begins with #line 1 "FILE" */
    char **paths;         /* the files in it, the source itself first */
    size_t path_count, path_room;
    char **once; /* those of them that say #pragma once */
    size_t once_count, once_room;
};

/* Returns DAL_OK, DAL_ERR_NOMEM, or DAL_ERR_INVALID with the problem in diags. Whatever it
 * returns, the caller finishes the result. */
int dal_expand(struct dal_diags *diags, const struct dal_spec_source *source,
               struct dal_expanded *result);
void dal_expand_finish(struct dal_expanded *result);

/*
 * The same as the compiler's preprocessor leaves it ($CC, else cc): no directives but #line and
 * #pragma, no macros but those that only a device knows. `constants` are #defines of ours in front
 * of it, which the source may define again to the same alone; `defines` are further options -D.
 * Paths in the source's options begin in `folder`.
 */
int dal_preprocess(struct dal_diags *diags, const struct dal_spec_source *source,
                   const char *folder, const char *constants, const struct dal_text *defines,
                   struct dal_expanded *result);

/* File and line of a line of the text, counted from 1. */
struct dal_spec_place dal_expand_place(struct dal_diags *diags, const struct dal_expanded *result,
                                       int line);

#endif
