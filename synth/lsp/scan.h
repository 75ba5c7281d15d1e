/*
 * The tags of a text that is being written. It need not be XML yet: what is missing is passed over.
 * One thread.
 */
#pragma once

#include <stddef.h>

#define DAL_LSP_NONE ((size_t)-1)

/* A part of the text. */
struct dal_lsp_part {
    size_t at, length;
};

struct dal_lsp_attribute {
    struct dal_lsp_part name, value;
};

/* A tag that begins an element. */
struct dal_lsp_tag {
    size_t begin, end; /* from '<' to behind '>' */
    struct dal_lsp_part name;
    size_t parent;       /* the tag around it, or DAL_LSP_NONE */
    size_t first, count; /* its attributes */
    int is_whole;        /* it has its '>' */
};

struct dal_lsp_scan {
    const char *text;
    size_t length;
    struct dal_lsp_tag *tags;
    size_t count, room;
    struct dal_lsp_attribute *attributes;
    size_t attribute_count, attribute_room;
    size_t open; /* the element in which the text ends, or DAL_LSP_NONE */
};

/* Scans a text, which must outlive the scan. Finish it in any case. DAL_OK or DAL_ERR_NOMEM. */
int dal_lsp_scan(struct dal_lsp_scan *scan, const char *text, size_t length);
void dal_lsp_scan_finish(struct dal_lsp_scan *scan);

/* Returns the tag that has an offset within it, or DAL_LSP_NONE. */
size_t dal_lsp_tag_at(const struct dal_lsp_scan *scan, size_t offset);
/* Returns the attribute whose value has an offset within it or at its end, or NULL. */
const struct dal_lsp_attribute *dal_lsp_attribute_at(const struct dal_lsp_scan *scan, size_t tag,
                                                     size_t offset);

/* Does a part of the text, or the name of a tag, say this? */
int dal_lsp_says(const struct dal_lsp_scan *scan, struct dal_lsp_part part, const char *word);
int dal_lsp_is(const struct dal_lsp_scan *scan, size_t tag, const char *name);
/* Returns the value of an attribute; one of no length at 0 where the tag does not have it. */
struct dal_lsp_part dal_lsp_value(const struct dal_lsp_scan *scan, size_t tag, const char *name);
/* Returns the name of an element, without the indices behind it: "Dec" of "Dec[i]". */
struct dal_lsp_part dal_lsp_name(const struct dal_lsp_scan *scan, size_t tag);
