/*
 * The documents that an editor has open, and places in texts. A place of the protocol is a line
 * and a number of units of UTF-16, both from 0. One thread.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

enum { DAL_LSP_DOCUMENTS = 1000 };

struct dal_lsp_document {
    char *uri, *path; /* the path is NULL of what is no file of this machine */
    char *text;
    size_t length;
};

/* Starts zeroed. */
struct dal_lsp_documents {
    struct dal_lsp_document *list;
    size_t count, room;
};

void dal_lsp_documents_finish(struct dal_lsp_documents *documents);

/* Opens a document, or gives it another text, which is taken over. DAL_OK, DAL_ERR_LIMIT for more
 * than DAL_LSP_DOCUMENTS, or DAL_ERR_NOMEM. */
int dal_lsp_documents_set(struct dal_lsp_documents *documents, const char *uri, char *text);
void dal_lsp_documents_close(struct dal_lsp_documents *documents, const char *uri);

/* Returns a document, or NULL. A path may be another name of the same file. */
const struct dal_lsp_document *dal_lsp_find(const struct dal_lsp_documents *documents,
                                            const char *uri);
const struct dal_lsp_document *dal_lsp_find_path(const struct dal_lsp_documents *documents,
                                                 const char *path);

/* Prints the URI of a file in JSON: that which the editor has given, or a new one. */
void dal_lsp_print_uri(FILE *out, const struct dal_lsp_documents *documents, const char *path);

/* Returns the offset of a place; that of the line's or the text's end, where there is no such
 * place. */
size_t dal_lsp_offset(const char *text, size_t length, double line, double character);
/* Returns the offset at which a line begins; the length behind the last. */
size_t dal_lsp_line(const char *text, size_t length, size_t line);
/* Prints a range between two offsets, in JSON. */
void dal_lsp_print_range(FILE *out, const char *text, size_t begin, size_t end);
