#define _GNU_SOURCE
#include "synth/lsp/scan.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

/* So many elements around it are looked at for the one that an end tag ends. */
enum { MOST_AROUND = 64 };

static const char blanks[] = " \t\r\n";

static size_t pass_all(const struct dal_lsp_scan *scan, size_t at, const char *letters)
{
    while (at < scan->length && scan->text[at] && strchr(letters, scan->text[at]))
        at++;
    return at;
}

static size_t pass_until(const struct dal_lsp_scan *scan, size_t at, const char *letters)
{
    while (at < scan->length && !(scan->text[at] && strchr(letters, scan->text[at])))
        at++;
    return at;
}

/* Returns the offset behind the next such text; the length without one. */
static size_t pass_text(const struct dal_lsp_scan *scan, size_t at, const char *end)
{
    const char *found = memmem(scan->text + at, scan->length - at, end, strlen(end));
    return found ? (size_t)(found - scan->text) + strlen(end) : scan->length;
}

static int begins(const struct dal_lsp_scan *scan, size_t at, const char *with)
{
    return scan->length - at >= strlen(with) && memcmp(scan->text + at, with, strlen(with)) == 0;
}

static int same(const struct dal_lsp_scan *scan, struct dal_lsp_part a, struct dal_lsp_part b)
{
    return a.length == b.length && memcmp(scan->text + a.at, scan->text + b.at, a.length) == 0;
}

/* Takes an attribute, as far as it is there. Returns the offset behind it. */
static size_t take_attribute(struct dal_lsp_scan *scan, size_t at, int *status)
{
    struct dal_lsp_attribute attribute = {.name.at = at};
    at = pass_until(scan, at, " \t\r\n=\"'/><");
    attribute.name.length = at - attribute.name.at;
    at = pass_all(scan, at, blanks);
    if (at < scan->length && scan->text[at] == '=')
        at = pass_all(scan, at + 1, blanks);
    if (at < scan->length && (scan->text[at] == '"' || scan->text[at] == '\'')) {
        const char end[] = {scan->text[at], '<', '\0'};
        attribute.value.at = at + 1;
        at = pass_until(scan, at + 1, end);
        attribute.value.length = at - attribute.value.at;
        at += at < scan->length && scan->text[at] != '<';
    }
    *status = dal_grow(&scan->attributes, scan->attribute_count, &scan->attribute_room,
                       sizeof(attribute));
    if (!*status)
        scan->attributes[scan->attribute_count++] = attribute;
    return at;
}

/* Takes a tag that begins an element, up to its end or what begins the next one. */
static size_t take_tag(struct dal_lsp_scan *scan, size_t at, int *status)
{
    struct dal_lsp_tag tag = {
        .begin = at, .parent = scan->open, .name.at = at + 1, .first = scan->attribute_count};
    at = pass_until(scan, at + 1, " \t\r\n/><");
    tag.name.length = at - tag.name.at;
    while (!*status && at < scan->length) {
        at = pass_all(scan, at, blanks);
        if (at == scan->length || scan->text[at] == '<')
            break;
        if (scan->text[at] == '>' || begins(scan, at, "/>")) {
            tag.is_whole = 1;
            break;
        }
        at = scan->text[at] == '/' ? at + 1 : take_attribute(scan, at, status);
    }
    tag.count = scan->attribute_count - tag.first;
    if (!*status)
        *status = dal_grow(&scan->tags, scan->count, &scan->room, sizeof(tag));
    if (*status)
        return scan->length;
    if (tag.is_whole && scan->text[at] == '>')
        scan->open = scan->count;
    tag.end = at + (!tag.is_whole ? 0 : scan->text[at] == '>' ? 1 : 2);
    scan->tags[scan->count++] = tag;
    return tag.end;
}

static size_t take_end(struct dal_lsp_scan *scan, size_t at)
{
    struct dal_lsp_part name = {.at = at + 2};
    size_t tag = scan->open;
    at = pass_until(scan, name.at, " \t\r\n><");
    name.length = at - name.at;
    for (int i = 0; tag != DAL_LSP_NONE && i < MOST_AROUND; i++, tag = scan->tags[tag].parent)
        if (same(scan, scan->tags[tag].name, name)) {
            scan->open = scan->tags[tag].parent;
            break;
        }
    return at;
}

int dal_lsp_scan(struct dal_lsp_scan *scan, const char *text, size_t length)
{
    size_t at = 0;
    int status = DAL_OK;
    *scan = (struct dal_lsp_scan){.text = text, .length = length, .open = DAL_LSP_NONE};
    while (!status && (at = pass_until(scan, at, "<")) < length)
        if (begins(scan, at, "<!--"))
            at = pass_text(scan, at + 4, "-->");
        else if (begins(scan, at, "<?"))
            at = pass_text(scan, at + 2, "?>");
        else if (begins(scan, at, "<![CDATA["))
            at = pass_text(scan, at, "]]>");
        else if (begins(scan, at, "<!"))
            at = pass_text(scan, at, ">");
        else if (begins(scan, at, "</"))
            at = take_end(scan, at);
        else
            at = take_tag(scan, at, &status);
    return status;
}

void dal_lsp_scan_finish(struct dal_lsp_scan *scan)
{
    dal_free_all(scan->tags, scan->attributes);
}

/* ---- questions ------------------------------------------------------------------------------ */

size_t dal_lsp_tag_at(const struct dal_lsp_scan *scan, size_t offset)
{
    for (size_t i = 0; i < scan->count; i++)
        if (scan->tags[i].begin < offset &&
            (offset < scan->tags[i].end ||
             (!scan->tags[i].is_whole && offset == scan->tags[i].end)))
            return i;
    return DAL_LSP_NONE;
}

const struct dal_lsp_attribute *dal_lsp_attribute_at(const struct dal_lsp_scan *scan, size_t tag,
                                                     size_t offset)
{
    const struct dal_lsp_attribute *list = scan->attributes + scan->tags[tag].first;
    for (size_t i = 0; i < scan->tags[tag].count; i++)
        if (list[i].value.at && list[i].value.at <= offset &&
            offset <= list[i].value.at + list[i].value.length)
            return &list[i];
    return NULL;
}

int dal_lsp_says(const struct dal_lsp_scan *scan, struct dal_lsp_part part, const char *word)
{
    return strlen(word) == part.length && memcmp(scan->text + part.at, word, part.length) == 0;
}

int dal_lsp_is(const struct dal_lsp_scan *scan, size_t tag, const char *name)
{
    return tag != DAL_LSP_NONE && dal_lsp_says(scan, scan->tags[tag].name, name);
}

struct dal_lsp_part dal_lsp_value(const struct dal_lsp_scan *scan, size_t tag, const char *name)
{
    const struct dal_lsp_attribute *list = scan->attributes + scan->tags[tag].first;
    for (size_t i = 0; i < scan->tags[tag].count; i++)
        if (dal_lsp_says(scan, list[i].name, name))
            return list[i].value;
    return (struct dal_lsp_part){0, 0};
}

struct dal_lsp_part dal_lsp_name(const struct dal_lsp_scan *scan, size_t tag)
{
    struct dal_lsp_part name = dal_lsp_value(scan, tag, "name");
    const char *index = name.length ? memchr(scan->text + name.at, '[', name.length) : NULL;
    if (index)
        name.length = (size_t)(index - scan->text) - name.at;
    return name;
}
