/* Completion and hovers. */
#include "synth/lsp/answers.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/json.h"
#include "spec/base/file.h"
#include "spec/read/installed.h"
#include "spec/xml/words.h"
#include "synth/lsp/folder.h"
#include "synth/lsp/ports.h"

#include <ctype.h>
#include <string.h>

enum { MOST_DEPTH = 32, MOST_FILE = 16 << 20, MOST_PARTS = 100 };
/* Kinds of items of the protocol. */
enum { KIND_FIELD = 5, KIND_VALUE = 12, KIND_PROPERTY = 10, KIND_CLASS = 7 };

/* ---- completion ----------------------------------------------------------------------------- */

/* The words that fit, and the part of the text that one of them replaces. */
struct offer {
    const struct dal_lsp_place *place;
    struct dal_lsp_scan scan;
    size_t tag; /* the cursor is within it; or DAL_LSP_NONE */
    struct dal_text words;
    size_t begin;
    int kind;
    const char *behind; /* added to each word that is taken */
};

/* Adds words of the schemas for an element, by the elements around it. */
static void add_words(struct offer *offer, enum dal_words what, size_t tag, const char *attribute)
{
    const struct dal_lsp_scan *scan = &offer->scan;
    size_t tags[MOST_DEPTH], depth = 0;
    char *names[MOST_DEPTH] = {NULL};
    for (; tag != DAL_LSP_NONE && depth < MOST_DEPTH; tag = scan->tags[tag].parent)
        tags[depth++] = tag;
    for (size_t i = 0; i < depth; i++) {
        struct dal_lsp_part name = scan->tags[tags[depth - 1 - i]].name;
        names[i] = dal_format("%.*s", (int)name.length, scan->text + name.at);
        offer->words.lost |= !names[i];
    }
    if (!offer->words.lost)
        dal_words_add(&offer->words, what, (const char *const *)names, depth, attribute);
    dal__free_list((void *const *)names, depth);
}

static void add_names(struct dal_text *words, const struct dal_lsp_scan *scan, const char *kind)
{
    for (size_t i = 0; i < scan->count; i++)
        if (dal_lsp_is(scan, i, kind)) {
            struct dal_lsp_part name = dal_lsp_name(scan, i);
            if (name.length)
                dal_text_list_join(words, scan->text + name.at, name.length);
        }
}

static void add_names_in(struct dal_text *words, const char *file, const char *kind,
                         const char *prefix, int *left);

/* Adds the names in a part, as a mapping of the whole names them. */
static void add_names_of_part(struct dal_text *words, const struct dal_lsp_scan *scan, size_t tag,
                              const char *file, const char *kind, const char *prefix, int *left)
{
    struct dal_lsp_part name = dal_lsp_name(scan, tag);
    char *inner = dal_format("%s%.*s.", prefix, (int)name.length, scan->text + name.at);
    char *path = dal_lsp_source(scan, tag, file, 0);
    if (inner && path && name.length)
        add_names_in(words, path, kind, inner, left);
    dal_free_all(inner, path);
}

/* Adds the names in a file and its parts. `left`: so many files may still be read. */
static void add_names_in(struct dal_text *words, const char *file, const char *kind,
                         const char *prefix, int *left)
{
    const char *why;
    char *text, *word;
    struct dal_lsp_scan scan;
    size_t length;
    if ((*left)-- <= 0 || dal_file_read(file, MOST_FILE, &text, &length, &why))
        return;
    if (dal_lsp_scan(&scan, text, length))
        words->lost = 1;
    for (size_t i = 0; i < scan.count; i++) {
        struct dal_lsp_part name = dal_lsp_name(&scan, i);
        word = dal_lsp_is(&scan, i, kind) && name.length
                   ? dal_format("%s%.*s", prefix, (int)name.length, text + name.at)
                   : NULL;
        if (word)
            dal_text_list_join(words, word, strlen(word));
        dal_free(word);
        if (dal_lsp_is(&scan, i, "network"))
            add_names_of_part(words, &scan, i, file, kind, prefix, left);
    }
    dal_lsp_scan_finish(&scan);
    dal_free(text);
}

/* Of a mapping: adds the names in its network, or in the machine. */
static void add_names_beside(struct offer *offer, const char *root, const char *kind)
{
    const char *path = offer->place->document->path;
    char *file = path ? dal_lsp_of_mapping(path, &offer->scan, root) : NULL;
    int left = MOST_PARTS;
    if (file)
        add_names_in(&offer->words, file, kind, "", &left);
    dal_free(file);
}

/* Of "A.po": the ports of A, outputs for "from" and inputs for "to". Of "A": the processes, each
 * with a dot, and the ports of the network. */
static void add_ends(struct offer *offer, const struct dal_lsp_attribute *attribute)
{
    const struct dal_lsp_scan *scan = &offer->scan;
    struct dal_lsp_part value = attribute->value, process = {.at = value.at};
    int is_from = dal_lsp_says(scan, attribute->name, "from");
    size_t cursor = offer->place->offset, tag;
    for (size_t i = value.at; i < cursor; i++)
        if (scan->text[i] == '.')
            process.length = i - value.at;
    tag = dal_lsp_process(scan, process);
    offer->kind = KIND_FIELD;
    if (tag != DAL_LSP_NONE && offer->place->document->path) {
        offer->begin = value.at + process.length + 1;
        dal_lsp_ports(scan, tag, offer->place->document->path,
                      is_from ? DAL_LSP_OUTPUT : DAL_LSP_INPUT, &offer->words);
        return;
    }
    add_names(&offer->words, scan, "process");
    add_names(&offer->words, scan, "network");
    offer->behind = ".";
}

/* The names that an attribute of this name refers to, by the element and the root. */
static void add_value(struct offer *offer, const struct dal_lsp_attribute *attribute)
{
    const struct dal_lsp_scan *scan = &offer->scan;
    size_t tag = offer->tag;
    int is_name = dal_lsp_says(scan, attribute->name, "name");
    char *name = dal_format("%.*s", (int)attribute->name.length, scan->text + attribute->name.at);
    offer->begin = attribute->value.at;
    offer->kind = KIND_VALUE;
    if (name)
        add_words(offer, DAL_WORDS_VALUES, tag, name);
    if (dal_lsp_is(scan, tag, "channel") &&
        (dal_lsp_says(scan, attribute->name, "from") || dal_lsp_says(scan, attribute->name, "to")))
        add_ends(offer, attribute);
    else if (is_name && (dal_lsp_is(scan, tag, "origin") || dal_lsp_is(scan, tag, "target")) &&
             dal_lsp_is(scan, 0, "processnetwork")) {
        add_names(&offer->words, scan, "process");
        add_names(&offer->words, scan, "sw_channel");
    } else if (is_name && dal_lsp_is(scan, 0, "mapping") && dal_lsp_is(scan, tag, "process"))
        add_names_beside(offer, "processnetwork", "process");
    else if (is_name && dal_lsp_is(scan, 0, "mapping") && dal_lsp_is(scan, tag, "processor"))
        add_names_beside(offer, "architecture", "processor");
    else if (dal_lsp_says(scan, attribute->name, "source") && dal_lsp_is(scan, tag, "network"))
        dal__installed_names(&offer->words);
    dal_free(name);
}

/* Attributes that the tag does not have yet. */
static void add_attributes(struct offer *offer)
{
    const struct dal_lsp_scan *scan = &offer->scan;
    struct dal_text all;
    const char *at;
    add_words(offer, DAL_WORDS_ATTRIBUTES, offer->tag, NULL);
    all = offer->words;
    offer->words = (struct dal_text){0};
    for (at = dal_text_get(&all); *at; at += strcspn(at, "\n"), at += *at == '\n') {
        size_t length = strcspn(at, "\n");
        char *name = dal_format("%.*s", (int)length, at);
        if (name && !dal_lsp_value(scan, offer->tag, name).at)
            dal_text_list_add(&offer->words, at, length);
        dal_free(name);
    }
    dal_text_finish(&all);
    offer->kind = KIND_PROPERTY;
    offer->behind = "=\"";
}

static void fill_offer(struct offer *offer)
{
    const struct dal_lsp_scan *scan = &offer->scan;
    const struct dal_lsp_attribute *attribute;
    size_t cursor = offer->place->offset;
    offer->begin = cursor;
    while (offer->begin && (isalnum((unsigned char)scan->text[offer->begin - 1]) ||
                            strchr("_.-", scan->text[offer->begin - 1])))
        offer->begin--;
    offer->tag = dal_lsp_tag_at(scan, cursor);
    offer->behind = "";
    offer->kind = KIND_CLASS;
    if (offer->tag == DAL_LSP_NONE)
        return;
    attribute = dal_lsp_attribute_at(scan, offer->tag, cursor);
    if (attribute)
        add_value(offer, attribute);
    else if (cursor <= scan->tags[offer->tag].name.at + scan->tags[offer->tag].name.length)
        add_words(offer, DAL_WORDS_ELEMENTS, scan->tags[offer->tag].parent, NULL);
    else
        add_attributes(offer);
}

/* Prints the words that begin as what stands in front of the cursor. */
static void print_offer(const struct offer *offer, FILE *out)
{
    const char *text = offer->scan.text, *at = dal_text_get(&offer->words);
    size_t cursor = offer->place->offset, typed = cursor - offer->begin, count = 0;
    fputs("{\"isIncomplete\":false,\"items\":[", out);
    for (; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        char *word = dal_format("%.*s", (int)strcspn(at, "\n"), at);
        if (word && strncmp(word, text + offer->begin, typed) == 0) {
            dal_json_format(out, "%-s{\"label\":%s,\"kind\":%d,\"textEdit\":{\"range\":",
                            count++ ? "," : "", word, offer->kind);
            dal_lsp_print_range(out, text, offer->begin, cursor);
            fputs(",\"newText\":\"", out);
            dal_json_print_text(out, word);
            dal_json_print_text(out, offer->behind);
            fputs("\"}}", out);
        }
        dal_free(word);
    }
    fputs("]}", out);
}

int dal_lsp_complete(const struct dal_lsp_place *place, FILE *out)
{
    struct offer offer = {.place = place};
    int status = dal_lsp_scan(&offer.scan, place->document->text, place->document->length);
    if (!status) {
        fill_offer(&offer);
        print_offer(&offer, out);
        status = offer.words.lost ? DAL_ERR_NOMEM : DAL_OK;
    }
    dal_text_finish(&offer.words);
    dal_lsp_scan_finish(&offer.scan);
    return status;
}

/* ---- hovers --------------------------------------------------------------------------------- */

static const char *next_line(const char *at, const char *end)
{
    const char *line = memchr(at, '\n', (size_t)(end - at));
    return line ? line + 1 : end;
}

/* Is the first cell of a row this name, or one with an index behind it? */
static int is_row_of(const char *row, const char *name, size_t length)
{
    return strncmp(row, name, length) == 0 &&
           (row[length] == '\v' || (row[length] == '_' && isdigit((unsigned char)row[length + 1])));
}

/* Adds the cells of a row, each behind the head of its column. */
static void add_row(struct dal_text *text, const char *head, const char *row)
{
    dal_text_printf(text, "%s**%.*s %.*s**\n", text->length ? "\n" : "", (int)strcspn(head, "\v"),
                    head, (int)strcspn(row, "\v"), row);
    for (;;) {
        size_t title = strcspn(head, "\v\n"), cell = strcspn(row, "\v\n");
        if (head[title] != '\v' || row[cell] != '\v')
            return;
        head += title + 1;
        row += cell + 1;
        title = strcspn(head, "\v\n");
        cell = strcspn(row, "\v\n");
        if (cell && !(cell == 1 && *row == '-'))
            dal_text_printf(text, "- %.*s: %.*s\n", (int)title, head, (int)cell, row);
    }
}

/* Adds the rows of a name in the tables of a network. */
static void add_rows(struct dal_text *text, const struct dal_lsp_record *tables, const char *name,
                     size_t length)
{
    enum { MOST_ROWS = 4 };
    const char *end = tables->text + tables->length, *head = tables->text;
    int rows = 0;
    for (const char *at = head; at < end && rows < MOST_ROWS; at = next_line(at, end))
        if (strncmp(at, "process\v", 8) == 0 || strncmp(at, "channel\v", 8) == 0)
            head = at;
        else if (is_row_of(at, name, length)) {
            add_row(text, head, at);
            rows++;
        }
}

/* Returns the name that a place is about: that of the element, or the word under the cursor. */
static struct dal_lsp_part name_at(const struct dal_lsp_scan *scan, size_t offset)
{
    size_t tag = dal_lsp_tag_at(scan, offset);
    struct dal_lsp_part word = {.at = offset};
    if (tag == DAL_LSP_NONE)
        return word;
    if (!dal_lsp_attribute_at(scan, tag, offset))
        return dal_lsp_name(scan, tag);
    while (word.at && strchr(DAL_IDENTIFIER, scan->text[word.at - 1]))
        word.at--;
    word.length = strspn(scan->text + word.at, DAL_IDENTIFIER);
    return word;
}

/* A channel of the short form has no name of its own, but one of its ends. */
static char *channel_name(const struct dal_lsp_scan *scan, size_t offset)
{
    size_t tag = dal_lsp_tag_at(scan, offset);
    struct dal_lsp_part from, to;
    if (!dal_lsp_is(scan, tag, "channel") || dal_lsp_value(scan, tag, "name").length)
        return NULL;
    from = dal_lsp_value(scan, tag, "from");
    to = dal_lsp_value(scan, tag, "to");
    return dal_format("%.*s-%.*s", (int)from.length, scan->text + from.at, (int)to.length,
                      scan->text + to.at);
}

/* Adds what is planned for a name; first in the network of the document, then in any. */
static void add_planned(const struct dal_lsp_place *place, struct dal_text *text, const char *name,
                        size_t length)
{
    struct dal_lsp_record tables;
    size_t at;
    for (int any = 0; any < 2 && length && !text->length; any++)
        for (at = 0; dal_lsp_record_next(place->told, place->told_length, &at, 'X', &tables) &&
                     !text->length;)
            if (any ||
                (place->document->path && strlen(place->document->path) == tables.name_length &&
                 memcmp(place->document->path, tables.name, tables.name_length) == 0))
                add_rows(text, &tables, name, length);
}

int dal_lsp_hover(const struct dal_lsp_place *place, FILE *out)
{
    struct dal_text text = {0};
    struct dal_lsp_scan scan;
    int status = dal_lsp_scan(&scan, place->document->text, place->document->length);
    if (!status) {
        struct dal_lsp_part name = name_at(&scan, place->offset);
        char *channel = channel_name(&scan, place->offset);
        add_planned(place, &text, scan.text + name.at, name.length);
        if (channel && !text.length)
            add_planned(place, &text, channel, strlen(channel));
        dal_free(channel);
        status = text.lost ? DAL_ERR_NOMEM : DAL_OK;
    }
    if (text.length)
        dal_json_format(out, "{\"contents\":{\"kind\":\"markdown\",\"value\":%s}}",
                        dal_text_get(&text));
    else
        fputs("null", out);
    dal_text_finish(&text);
    dal_lsp_scan_finish(&scan);
    return status;
}
