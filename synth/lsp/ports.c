#define _GNU_SOURCE
#include "synth/lsp/ports.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/read/installed.h"

#include <ctype.h>
#include <string.h>

enum { MOST_SOURCE = 4 << 20, MOST_SOURCES = 32 };

static int same_text(const struct dal_lsp_scan *scan, struct dal_lsp_part a, struct dal_lsp_part b)
{
    const char *index = b.length ? memchr(scan->text + b.at, '[', b.length) : NULL;
    if (index)
        b.length = (size_t)(index - scan->text) - b.at;
    return a.length == b.length && memcmp(scan->text + a.at, scan->text + b.at, a.length) == 0;
}

static size_t find_named(const struct dal_lsp_scan *scan, const char *const kinds[2],
                         struct dal_lsp_part name)
{
    for (size_t i = 0; name.length && i < scan->count; i++)
        if ((dal_lsp_is(scan, i, kinds[0]) || dal_lsp_is(scan, i, kinds[1])) &&
            same_text(scan, dal_lsp_name(scan, i), name))
            return i;
    return DAL_LSP_NONE;
}

size_t dal_lsp_process(const struct dal_lsp_scan *scan, struct dal_lsp_part name)
{
    static const char *const kinds[] = {"process", "network"};
    return find_named(scan, kinds, name);
}

size_t dal_lsp_channel(const struct dal_lsp_scan *scan, struct dal_lsp_part name)
{
    static const char *const kinds[] = {"channel", "sw_channel"};
    return find_named(scan, kinds, name);
}

/* ---- sources -------------------------------------------------------------------------------- */

/* Returns the n-th word of a value, whose length is 0 behind the last. Takes the words off n. */
static struct dal_lsp_part word_of(const struct dal_lsp_scan *scan, struct dal_lsp_part value,
                                   size_t *n)
{
    struct dal_lsp_part word = {.at = value.at};
    size_t end = value.at + value.length;
    for (;;) {
        while (word.at < end && isspace((unsigned char)scan->text[word.at]))
            word.at++;
        word.length = 0;
        while (word.at + word.length < end &&
               !isspace((unsigned char)scan->text[word.at + word.length]))
            word.length++;
        if (!word.length || !(*n)--)
            return word;
        word.at += word.length;
    }
}

/* Returns the path that a source names: "dal:gain.xml", "portable:stage.c", "stage.c". */
static char *path_of(const char *source, const char *network)
{
    struct dal_diags ignored;
    const char *behind = source + strspn(source, "abcdefghijklmnopqrstuvwxyz");
    char *path;
    if (!dal__is_installed(source))
        return dal__beside(network, *behind == ':' ? behind + 1 : source);
    dal_diags_init(&ignored);
    path = dal__installed_path(&ignored, (struct dal_spec_place){0}, source);
    dal_diags_finish(&ignored);
    return path;
}

char *dal_lsp_source(const struct dal_lsp_scan *scan, size_t process, const char *network, size_t n)
{
    struct dal_lsp_part word = word_of(scan, dal_lsp_value(scan, process, "source"), &n);
    char *source, *path;
    for (size_t i = process + 1; !word.length && i < scan->count; i++)
        if (scan->tags[i].parent == process && dal_lsp_is(scan, i, "source") && !n--)
            word = dal_lsp_value(scan, i, "location");
    source = word.length ? dal_format("%.*s", (int)word.length, scan->text + word.at) : NULL;
    path = source ? path_of(source, network) : NULL;
    dal_free(source);
    return path;
}

/* The direction of a port, by the call that it stands in: "DAL_read(" or "DAL_WRITE_TOKEN(". */
static enum dal_lsp_way way_of_call(const char *text, size_t at)
{
    size_t end = at, length;
    while (at && strchr(DAL_IDENTIFIER "(", text[at - 1]))
        at--;
    length = end - at;
    text += at;
    if (memmem(text, length, "read", 4) || memmem(text, length, "READ", 4))
        return DAL_LSP_INPUT;
    return memmem(text, length, "write", 5) || memmem(text, length, "WRITE", 5) ? DAL_LSP_OUTPUT
                                                                                : DAL_LSP_EITHER;
}

/* The direction of a port, by its element. */
static enum dal_lsp_way way_of_tag(const struct dal_lsp_scan *scan, size_t tag)
{
    struct dal_lsp_part type = dal_lsp_value(scan, tag, "type");
    if (dal_lsp_says(scan, type, "input"))
        return DAL_LSP_INPUT;
    return dal_lsp_says(scan, type, "output") ? DAL_LSP_OUTPUT : DAL_LSP_EITHER;
}

/* A port that a source or a part names. */
struct use {
    struct dal_lsp_part name;
    enum dal_lsp_way way;
};

/* Returns the next port that a source in C names, at or behind an offset: in PORT_x, or in
 * DAL_READ_TOKEN(x and its like, which have it behind a type or at once. */
static int next_use(const char *text, size_t length, size_t *at, struct use *use)
{
    static const struct {
        const char *word;
        const char *before; /* what stands between it and the name, at its end */
    } uses[] = {{"PORT_", ""},
                {"DAL_READ_TOKEN(", ""},
                {"DAL_WRITE_TOKEN(", ""},
                {"DAL_READ_TOKENS(", ","},
                {"DAL_WRITE_TOKENS(", ","}};
    for (; *at < length; ++*at)
        for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++) {
            size_t word = strlen(uses[i].word), from = *at + word;
            const char *comma;
            if (from >= length || memcmp(text + *at, uses[i].word, word) != 0)
                continue;
            use->way = way_of_call(text, from);
            comma = *uses[i].before ? memchr(text + from, ',', length - from) : NULL;
            from = comma ? (size_t)(comma - text) + 1 : from;
            from += strspn(text + from, " ");
            use->name = (struct dal_lsp_part){from, strspn(text + from, DAL_IDENTIFIER)};
            *at = from;
            if (use->name.length)
                return 1;
        }
    return 0;
}

static struct use use_of_tag(const struct dal_lsp_scan *scan, size_t tag)
{
    return (struct use){dal_lsp_name(scan, tag), way_of_tag(scan, tag)};
}

static int next_port(const struct dal_lsp_scan *scan, size_t *at, struct use *use)
{
    for (; *at < scan->count; ++*at)
        if (dal_lsp_is(scan, *at, "port") && scan->tags[*at].parent == 0) {
            *use = use_of_tag(scan, (*at)++);
            return 1;
        }
    return 0;
}

/* Calls a function for each port that a source, or a part, names. It returns whether it goes on. */
static void each_in_file(const char *path,
                         int (*see)(const char *path, const char *text, struct use use, void *to),
                         void *to)
{
    struct dal_lsp_scan scan;
    struct use use;
    const char *why;
    char *text;
    size_t length, at = 0, end = strlen(path);
    int is_part = end > 4 && strcmp(path + end - 4, ".xml") == 0;
    if (dal_file_read(path, MOST_SOURCE, &text, &length, &why))
        return;
    if (is_part && !dal_lsp_scan(&scan, text, length))
        while (next_port(&scan, &at, &use) && see(path, text, use, to))
            ;
    if (is_part)
        dal_lsp_scan_finish(&scan);
    else
        while (next_use(text, length, &at, &use) && see(path, text, use, to))
            ;
    dal_free(text);
}

/* The names of ports of one direction. */
struct names {
    struct dal_text *list;
    enum dal_lsp_way way;
};

static int add_name(const char *path, const char *text, struct use use, void *to)
{
    struct names *names = to;
    (void)path;
    if (names->way == DAL_LSP_EITHER || use.way == DAL_LSP_EITHER || use.way == names->way)
        dal_text_list_join(names->list, text + use.name.at, use.name.length);
    return 1;
}

/* Adds a port that an end of a channel names, "A.port". */
static void add_end(const struct dal_lsp_scan *scan, struct dal_lsp_part process,
                    struct dal_lsp_part end, struct dal_text *names)
{
    const char *text = scan->text + end.at;
    const char *dot = end.length ? memrchr(text, '.', end.length) : NULL;
    struct dal_lsp_part of = {.at = end.at, .length = dot ? (size_t)(dot - text) : 0};
    if (dot && of.length + 1 < end.length && same_text(scan, process, of))
        dal_text_list_join(names, dot + 1, end.length - of.length - 1);
}

void dal_lsp_ports(const struct dal_lsp_scan *scan, size_t process, const char *network,
                   enum dal_lsp_way way, struct dal_text *list)
{
    struct dal_lsp_part name = dal_lsp_name(scan, process);
    struct names names = {list, way};
    for (size_t i = 0; i < scan->count; i++)
        if (scan->tags[i].parent == process && dal_lsp_is(scan, i, "port"))
            add_name(NULL, scan->text, use_of_tag(scan, i), &names);
    for (size_t i = 0; i < MOST_SOURCES; i++) {
        char *path = dal_lsp_source(scan, process, network, i);
        if (!path)
            break;
        each_in_file(path, add_name, &names);
        dal_free(path);
    }
    for (size_t i = 0; i < scan->count; i++)
        if (dal_lsp_is(scan, i, "channel")) {
            if (way != DAL_LSP_INPUT)
                add_end(scan, name, dal_lsp_value(scan, i, "from"), list);
            if (way != DAL_LSP_OUTPUT)
                add_end(scan, name, dal_lsp_value(scan, i, "to"), list);
        }
}

/* ---- where a port is ------------------------------------------------------------------------ */

struct wish {
    const char *name;
    size_t length;
    struct dal_lsp_target *target;
    int found;
};

static int compare_name(const char *path, const char *text, struct use use, void *to)
{
    struct wish *wish = to;
    struct dal_lsp_part name = use.name;
    if (name.length != wish->length || memcmp(text + name.at, wish->name, name.length) != 0)
        return 1;
    *wish->target = (struct dal_lsp_target){dal_strdup(path), name.at, name.at + name.length};
    wish->found = wish->target->path != NULL;
    return 0;
}

int dal_lsp_port_use(const struct dal_lsp_scan *scan, size_t process, const char *network,
                     struct dal_lsp_part name, struct dal_lsp_target *target)
{
    struct wish wish = {.name = scan->text + name.at, .length = name.length, .target = target};
    for (size_t i = 0; i < MOST_SOURCES && !wish.found; i++) {
        char *path = dal_lsp_source(scan, process, network, i);
        if (!path)
            break;
        each_in_file(path, compare_name, &wish);
        dal_free(path);
    }
    return wish.found;
}

int dal_lsp_port(const struct dal_lsp_scan *scan, size_t process, const char *network,
                 struct dal_lsp_part name, struct dal_lsp_target *target)
{
    struct wish wish = {.name = scan->text + name.at, .length = name.length, .target = target};
    for (size_t i = 0; i < scan->count && !wish.found; i++)
        if (scan->tags[i].parent == process && dal_lsp_is(scan, i, "port"))
            compare_name(network, scan->text, use_of_tag(scan, i), &wish);
    return wish.found || dal_lsp_port_use(scan, process, network, name, target);
}
