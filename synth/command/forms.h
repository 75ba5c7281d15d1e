/* Verbs that print a network in its long form, and in its short one (spec/write/short.h). */
#pragma once

#include "synth/command/request.h"

/* Each returns DAL_OK or a negative code, with the problem in diags. */
int dal_form_expand(struct dal_diags *diags, const struct dal_request *request);
/* Lists the installed parts, or describes one. */
int dal_form_parts(struct dal_diags *diags, const struct dal_request *request);
int dal_form_shorten(struct dal_diags *diags, const struct dal_request *request);
