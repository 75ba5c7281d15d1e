/*
 * What an editor asks about a place: what may stand there, where it comes from, what is planned for
 * it. Answers are printed in JSON. One thread.
 */
#pragma once

#include "synth/lsp/check.h"
#include "synth/lsp/documents.h"

struct dal_lsp_place {
    const struct dal_lsp_documents *documents;
    const struct dal_lsp_document *document;
    size_t offset;
    const char *told; /* the output of the last check, or NULL */
    size_t told_length;
};

/* Prints the answer, which is "null" if there is none. Return DAL_OK or DAL_ERR_NOMEM. */
int dal_lsp_complete(const struct dal_lsp_place *place, FILE *out);
int dal_lsp_define(const struct dal_lsp_place *place, FILE *out);
int dal_lsp_hover(const struct dal_lsp_place *place, FILE *out);
