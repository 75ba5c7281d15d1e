/*
 * Kinds of devices that a kernel's source tells apart: dalsynth preprocesses it, but does not know
 * the device. So that is done once for each combination of what its #ifs ask for and only a device
 * knows (its version, its extensions), and the texts that come out stand under conditions that the
 * device's compiler decides.
 */
#ifndef DAL_SYNTH_SOURCE_VARIANTS_H
#define DAL_SYNTH_SOURCE_VARIANTS_H

#include "spec/model.h"
#include "synth/text.h"

struct dal_variant {
    struct dal_text defines;   /* options that make it: a list */
    struct dal_text condition; /* of a #if; empty for all devices */
    struct dal_text text;      /* what comes out, the caller's */
    int error;                 /* nothing comes out */
};

struct dal_variants {
    struct dal_variant *list;
    size_t count;
};

/* Returns DAL_OK with one or more, DAL_ERR_NOMEM, or DAL_ERR_INVALID with the problem in diags,
 * when there are too many. Whatever it returns, the caller finishes them. */
int dal_variants_find(struct dal_diags *diags, const struct dal_spec_source *source,
                      struct dal_variants *variants);
void dal_variants_finish(struct dal_variants *variants);

/* Adds their texts: one alone where all are the same. */
void dal_variants_join(struct dal_text *text, const struct dal_variants *variants);

#endif
