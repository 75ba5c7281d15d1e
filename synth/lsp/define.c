/* Definitions: from ends of channels to processes and ports, from these to sources, and back. */
#define _GNU_SOURCE
#include "synth/lsp/answers.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/json.h"
#include "spec/base/file.h"
#include "synth/lsp/folder.h"
#include "synth/lsp/ports.h"

#include <string.h>

enum { MOST_FILE = 16 << 20 };

/* A question, and the file in which names are looked up: the document's, or the network of it. */
struct question {
    const struct dal_lsp_place *place;
    struct dal_lsp_scan scan; /* of the network */
    const char *network;      /* its path */
    struct dal_lsp_target target;
    int found;
};

static void aim(struct question *question, const char *path, struct dal_lsp_part part)
{
    question->target = (struct dal_lsp_target){dal_strdup(path), part.at, part.at + part.length};
    question->found = question->target.path != NULL;
}

/* Aims at an element of the network, by the name that it has. */
static void aim_element(struct question *question, size_t tag)
{
    if (tag != DAL_LSP_NONE)
        aim(question, question->network, dal_lsp_value(&question->scan, tag, "name"));
}

static void aim_port(struct question *question, size_t process, struct dal_lsp_part name)
{
    if (process != DAL_LSP_NONE)
        question->found =
            dal_lsp_port(&question->scan, process, question->network, name, &question->target);
    if (!question->found)
        aim_element(question, process);
}

/* Of "A.port", the process or the port, whichever the cursor is at. */
static void aim_end(struct question *question, struct dal_lsp_part end)
{
    const char *text = question->scan.text + end.at;
    const char *dot = memrchr(text, '.', end.length);
    struct dal_lsp_part process = {end.at, dot ? (size_t)(dot - text) : end.length}, port;
    const char *index = memchr(text, '[', process.length);
    size_t tag;
    if (index)
        process.length = (size_t)(index - text);
    tag = dal_lsp_process(&question->scan, process);
    if (!dot || question->place->offset <= end.at + (size_t)(dot - text)) {
        aim_element(question, tag);
        return;
    }
    port.at = end.at + (size_t)(dot - text) + 1;
    port.length = strcspn(dot + 1, "[\"'");
    port.length =
        port.at + port.length > end.at + end.length ? end.at + end.length - port.at : port.length;
    aim_port(question, tag, port);
}

/* Of a list of sources, the one under the cursor. */
static void aim_source(struct question *question, size_t tag, struct dal_lsp_part value)
{
    size_t n = 0, cursor = question->place->offset - value.at;
    const char *text = question->scan.text + value.at;
    char *path;
    for (size_t i = 1; i < value.length && i <= cursor; i++)
        n += strchr(" \t\r\n", text[i]) && !strchr(" \t\r\n", text[i - 1]);
    path = dal_lsp_source(&question->scan, tag, question->network, n);
    if (path)
        aim(question, path, (struct dal_lsp_part){0, 0});
    dal_free(path);
}

/* Of a name: a process leads to its source; what refers to it leads to it. */
static void aim_name(struct question *question, size_t tag, struct dal_lsp_part value)
{
    const struct dal_lsp_scan *scan = &question->scan;
    size_t parent = scan->tags[tag].parent, other;
    if (dal_lsp_is(scan, tag, "process") || dal_lsp_is(scan, tag, "network")) {
        struct dal_lsp_part first = {question->place->offset, 0};
        aim_source(question, tag, first);
    } else if (dal_lsp_is(scan, tag, "origin") || dal_lsp_is(scan, tag, "target")) {
        other = dal_lsp_process(scan, value);
        aim_element(question, other != DAL_LSP_NONE ? other : dal_lsp_channel(scan, value));
    } else if (dal_lsp_is(scan, tag, "port") &&
               (dal_lsp_is(scan, parent, "origin") || dal_lsp_is(scan, parent, "target"))) {
        aim_port(question, dal_lsp_process(scan, dal_lsp_name(scan, parent)), value);
    } else if (dal_lsp_is(scan, tag, "port") && dal_lsp_is(scan, parent, "process")) {
        question->found =
            dal_lsp_port_use(scan, parent, question->network, value, &question->target);
    }
}

static void ask_network(struct question *question)
{
    const struct dal_lsp_scan *scan = &question->scan;
    size_t tag = dal_lsp_tag_at(scan, question->place->offset);
    const struct dal_lsp_attribute *attribute =
        tag == DAL_LSP_NONE ? NULL : dal_lsp_attribute_at(scan, tag, question->place->offset);
    if (!attribute)
        return;
    if (dal_lsp_says(scan, attribute->name, "source") ||
        dal_lsp_says(scan, attribute->name, "location"))
        aim_source(question, dal_lsp_is(scan, tag, "source") ? scan->tags[tag].parent : tag,
                   attribute->value);
    else if (dal_lsp_says(scan, attribute->name, "from") ||
             dal_lsp_says(scan, attribute->name, "to"))
        aim_end(question, attribute->value);
    else if (dal_lsp_says(scan, attribute->name, "name"))
        aim_name(question, tag, attribute->value);
}

/* Loads the file in which names are looked up. Returns its text, for dal_free(), or NULL. */
static char *load(struct question *question, const char *path)
{
    const char *why;
    char *text;
    size_t length;
    if (dal_file_read(path, MOST_FILE, &text, &length, &why))
        return NULL;
    question->network = path;
    if (dal_lsp_scan(&question->scan, text, length)) {
        dal_free(text);
        return NULL;
    }
    return text;
}

/* Of a mapping: the process or processor of this name, in the file that has it. */
static void ask_beside(struct question *question, const struct dal_lsp_scan *mapping,
                       const char *root, const char *kind, struct dal_lsp_part wanted)
{
    char *path = dal_lsp_of_mapping(question->place->document->path, mapping, root);
    char *text = path ? load(question, path) : NULL;
    for (size_t i = 0; text && i < question->scan.count && !question->found; i++) {
        struct dal_lsp_part other = dal_lsp_name(&question->scan, i);
        if (dal_lsp_is(&question->scan, i, kind) && other.length == wanted.length &&
            memcmp(text + other.at, mapping->text + wanted.at, wanted.length) == 0)
            aim_element(question, i);
    }
    dal_lsp_scan_finish(&question->scan);
    question->scan = (struct dal_lsp_scan){0};
    dal_free_all(text, path);
}

static void ask_mapping(struct question *question)
{
    struct dal_lsp_scan scan = question->scan;
    size_t tag = dal_lsp_tag_at(&scan, question->place->offset);
    struct dal_lsp_part name;
    question->scan = (struct dal_lsp_scan){0};
    if (tag != DAL_LSP_NONE && dal_lsp_attribute_at(&scan, tag, question->place->offset)) {
        name = dal_lsp_name(&scan, tag);
        if (dal_lsp_is(&scan, tag, "process"))
            ask_beside(question, &scan, "processnetwork", "process", name);
        else if (dal_lsp_is(&scan, tag, "processor"))
            ask_beside(question, &scan, "architecture", "processor", name);
    }
    dal_lsp_scan_finish(&scan);
}

/* Has a process this source? */
static int has_source(const struct question *question, size_t process)
{
    const struct dal_lsp_document *document;
    int found = 0;
    for (size_t i = 0; !found; i++) {
        char *path = dal_lsp_source(&question->scan, process, question->network, i);
        if (!path)
            break;
        document = dal_lsp_find_path(question->place->documents, path);
        found = document == question->place->document;
        dal_free(path);
    }
    return found;
}

/* Aims at the end of a channel that is this port of a process. */
static void aim_channel(struct question *question, size_t process, const char *port, size_t length)
{
    static const char *const ends[] = {"from", "to"};
    const struct dal_lsp_scan *scan = &question->scan;
    struct dal_lsp_part name = dal_lsp_name(scan, process);
    for (size_t i = 0; i < 2 * scan->count && !question->found; i++) {
        struct dal_lsp_part end = dal_lsp_value(scan, i / 2, ends[i % 2]);
        const char *text = scan->text + end.at;
        if (dal_lsp_is(scan, i / 2, "channel") && end.length == name.length + 1 + length &&
            memcmp(text, scan->text + name.at, name.length) == 0 && text[name.length] == '.' &&
            memcmp(text + name.length + 1, port, length) == 0)
            aim(question, question->network, end);
    }
}

/* Of a source: the word under the cursor, as a port of a process that has this source, in the first
 * network that has one. */
static void ask_source(struct question *question)
{
    const struct dal_lsp_document *document = question->place->document;
    const char *word = document->text + question->place->offset;
    char *path, *text;
    size_t length, at = 0;
    while (word > document->text && strchr(DAL_IDENTIFIER, word[-1]))
        word--;
    word += strncmp(word, "PORT_", 5) == 0 ? 5 : 0;
    length = strspn(word, DAL_IDENTIFIER);
    while (length && !question->found &&
           (path = dal_lsp_beside_next(document->path, "processnetwork", NULL, &at))) {
        text = load(question, path);
        for (size_t i = 0; text && i < question->scan.count && !question->found; i++)
            if (dal_lsp_is(&question->scan, i, "process") && has_source(question, i))
                aim_channel(question, i, word, length);
        dal_lsp_scan_finish(&question->scan);
        question->scan = (struct dal_lsp_scan){0};
        dal_free_all(text, path);
    }
}

static void print_target(const struct dal_lsp_place *place, const struct dal_lsp_target *target,
                         FILE *out)
{
    char *text = NULL;
    const char *why;
    size_t length = 0;
    int status = dal_file_read(target->path, MOST_FILE, &text, &length, &why);
    fputs("{\"uri\":", out);
    dal_lsp_print_uri(out, place->documents, target->path);
    fputs(",\"range\":", out);
    dal_lsp_print_range(out, status ? "" : text, status ? 0 : target->begin,
                        status ? 0 : target->end);
    fputs("}", out);
    dal_free(text);
}

int dal_lsp_define(const struct dal_lsp_place *place, FILE *out)
{
    const struct dal_lsp_document *document = place->document;
    struct question question = {.place = place, .network = document->path};
    int status = DAL_OK;
    if (document->path && document->text[strspn(document->text, " \t\r\n")] == '<') {
        status = dal_lsp_scan(&question.scan, document->text, document->length);
        if (!status &&
            dal_lsp_is(&question.scan, question.scan.count ? 0 : DAL_LSP_NONE, "mapping")) {
            ask_mapping(&question);
        } else {
            if (!status)
                ask_network(&question);
            dal_lsp_scan_finish(&question.scan);
        }
    } else if (document->path) {
        ask_source(&question);
    }
    if (question.found)
        print_target(place, &question.target, out);
    else
        fputs("null", out);
    dal_free(question.target.path);
    return status;
}
