/*
 * Kinds of devices that an OpenCL source tells apart. dalsynth preprocesses the source, but does
 * not know the device. So it does that once for each combination of what the source's #ifs ask and
 * only a device knows: its version, its extensions. Combinations with the same text are one
 * variant; several stand under conditions that the device's compiler decides.
 */
#pragma once

#include "spec/model/model.h"
#include "synth/codegen/clang/reader.h"
#include "synth/plan/facts.h"

/* Makes the texts and reads them, as `reading` says but for its text and defines. Returns DAL_OK
 * with one or more variants, of which the preprocessor may have refused some; DAL_ERR_NOMEM; or
 * DAL_ERR_INVALID with the problem in diags. Whatever it returns, the caller finishes them. */
int dal__variants_read(struct dal_diags *diags, const struct dal_spec_source *source,
                       const struct dal_reading *reading, struct dal_variants *variants);

/*
 * Preprocesses a source with the compiler's preprocessor ($CC, else cc). It leaves no directives
 * but #line and #pragma, and no macros but those that only a device knows. reading->prologue has
 * #defines of ours, which the source may define again to the same alone; reading->defines is
 * further options. Adds the text and the paths of its files. Returns DAL_OK; a positive number when
 * the preprocessor refuses the source, with the first line that it says as the text; DAL_ERR_NOMEM;
 * DAL_ERR_INTERRUPTED; or DAL_ERR_INVALID with the problem in diags.
 */
int dal__preprocess(struct dal_diags *diags, const struct dal_spec_source *source,
                    const struct dal_reading *reading, struct dal_text *text,
                    struct dal_text *files);

/* Returns where the text of a variant has the first pragma, behind that word, which would hold for
 * a source behind it; NULL without one. */
const char *dal__lasting_pragma(const struct dal_variant *variant);
