#include "synth/lsp/documents.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/json.h"
#include "spec/base/names.h"
#include "spec/base/uri.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void finish_document(struct dal_lsp_document *document)
{
    dal_free_all(document->uri, document->path, document->text);
}

void dal_lsp_documents_finish(struct dal_lsp_documents *documents)
{
    for (size_t i = 0; i < documents->count; i++)
        finish_document(&documents->list[i]);
    dal_free(documents->list);
    *documents = (struct dal_lsp_documents){0};
}

const struct dal_lsp_document *dal_lsp_find(const struct dal_lsp_documents *documents,
                                            const char *uri)
{
    return DAL_NAMED(documents->list, documents->count, uri, uri);
}

int dal_lsp_documents_set(struct dal_lsp_documents *documents, const char *uri, char *text)
{
    struct dal_lsp_document *document = (struct dal_lsp_document *)dal_lsp_find(documents, uri);
    int status = documents->count < DAL_LSP_DOCUMENTS ? DAL_OK : DAL_ERR_LIMIT;
    if (!document && !status)
        status = dal_grow(&documents->list, documents->count, &documents->room, sizeof(*document));
    if (!document && !status) {
        document = &documents->list[documents->count];
        *document = (struct dal_lsp_document){.uri = dal_strdup(uri), .path = dal_uri_path(uri)};
        status = document->uri ? DAL_OK : DAL_ERR_NOMEM;
        documents->count += !status;
    }
    if (!document || !document->uri) {
        dal_free(text);
        return status;
    }
    dal_free(document->text);
    document->text = text;
    document->length = strlen(text);
    return DAL_OK;
}

void dal_lsp_documents_close(struct dal_lsp_documents *documents, const char *uri)
{
    struct dal_lsp_document *document = (struct dal_lsp_document *)dal_lsp_find(documents, uri);
    if (!document)
        return;
    finish_document(document);
    *document = documents->list[--documents->count];
}

const struct dal_lsp_document *dal_lsp_find_path(const struct dal_lsp_documents *documents,
                                                 const char *path)
{
    char real[PATH_MAX], other[PATH_MAX];
    for (size_t i = 0; i < documents->count; i++)
        if (documents->list[i].path && strcmp(documents->list[i].path, path) == 0)
            return &documents->list[i];
    if (!realpath(path, real))
        return NULL;
    for (size_t i = 0; i < documents->count; i++)
        if (documents->list[i].path && realpath(documents->list[i].path, other) &&
            strcmp(other, real) == 0)
            return &documents->list[i];
    return NULL;
}

void dal_lsp_print_uri(FILE *out, const struct dal_lsp_documents *documents, const char *path)
{
    const struct dal_lsp_document *document = dal_lsp_find_path(documents, path);
    struct dal_text uri = {0};
    if (!document)
        dal_uri_add(&uri, path);
    dal_json_print(out, document ? document->uri : dal_text_get(&uri));
    dal_text_finish(&uri);
}

/* ---- places --------------------------------------------------------------------------------- */

/* Returns how many units a byte begins: those in the middle of a character begin none. */
static size_t units_of(char byte)
{
    unsigned char c = (unsigned char)byte;
    return c >= 0xf0 ? 2 : (c & 0xc0) != 0x80;
}

size_t dal_lsp_line(const char *text, size_t length, size_t line)
{
    const char *at = text, *end = text + length;
    while (at < end && line) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        at = next ? next + 1 : end;
        line--;
    }
    return (size_t)(at - text);
}

size_t dal_lsp_offset(const char *text, size_t length, double line, double character)
{
    size_t at = dal_lsp_line(text, length, (size_t)line), units = (size_t)character;
    while (at < length && units && text[at] != '\n' && text[at] != '\r') {
        size_t of = units_of(text[at]);
        units -= of < units ? of : units;
        at++;
    }
    while (at < length && !units_of(text[at]))
        at++;
    return at;
}

static void print_place(FILE *out, const char *name, const char *text, size_t offset)
{
    size_t line = 0, units = 0;
    for (size_t i = 0; i < offset; i++) {
        units = text[i] == '\n' ? 0 : units + units_of(text[i]);
        line += text[i] == '\n';
    }
    dal_json_format(out, "%s:{\"line\":%zu,\"character\":%zu}", name, line, units);
}

void dal_lsp_print_range(FILE *out, const char *text, size_t begin, size_t end)
{
    fputs("{", out);
    print_place(out, "start", text, begin);
    fputs(",", out);
    print_place(out, "end", text, end);
    fputs("}", out);
}
