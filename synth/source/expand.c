/*
 * One text out of a kernel's source and the files it includes with quotes, since the program
 * carries its kernels along and has no folder to include from. #line keeps every line's place.
 */
#include "synth/source/expand.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/source/scan.h"
#include "synth/source/unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_DEPTH = 16 };

struct frame {
    char *path, *data;
    const char *copied; /* up to here the file is in the text */
    struct dal_scanner scanner;
};

struct expansion {
    struct dal_expanded *result;
    const struct dal_spec_source *source;
    struct dal_diags *diags;
    struct frame stack[MAX_DEPTH];
    size_t depth;
};

static void add_line(struct dal_text *text, int line, const char *path)
{
    dal_text_printf(text, "#line %d ", line);
    dal_text_add_literal(text, dal_path_base(path));
}

static int note_path(struct dal_expanded *result, const char *path)
{
    size_t i;

    for (i = 0; i < result->path_count; i++)
        if (!strcmp(result->paths[i], path))
            return DAL_OK;
    if (dal_grow(&result->paths, result->path_count, &result->path_room, sizeof(char *)))
        return DAL_ERR_NOMEM;
    result->paths[result->path_count] = dal_strdup(path);
    return result->paths[result->path_count] ? (result->path_count++, DAL_OK) : DAL_ERR_NOMEM;
}

/* Takes path over, also on failure. */
static int open_file(struct expansion *x, char *path)
{
    struct frame *f = &x->stack[x->depth];
    size_t length;
    int error = path ? dal_unit_read(x->diags, x->source, path, &f->data, &length) : DAL_ERR_NOMEM;

    if (!error && note_path(x->result, path)) {
        dal_free(f->data);
        error = DAL_ERR_NOMEM;
    }
    if (error) {
        dal_free(path);
        return error;
    }
    f->path = path;
    f->copied = f->data;
    dal_scan_init(&f->scanner, f->data, length);
    x->depth++;
    add_line(&x->result->text, 1, path);
    dal_text_add(&x->result->text, "\n");
    return DAL_OK;
}

static void copy_until(struct expansion *x, struct frame *f, const char *end)
{
    dal_text_add_bytes(&x->result->text, f->copied, (size_t)(end - f->copied));
    f->copied = end;
}

static void close_file(struct expansion *x)
{
    struct frame *f = &x->stack[x->depth - 1];
    struct dal_text *text = &x->result->text;

    copy_until(x, f, f->scanner.end);
    if (text->length && text->data[text->length - 1] != '\n')
        dal_text_add(text, "\n");
    dal_free(f->data);
    dal_free(f->path);
    x->depth--;
    if (x->depth)
        add_line(text, f[-1].scanner.line + 1, f[-1].path);
}

static int is_open(const struct expansion *x, const char *path)
{
    size_t i;

    for (i = 0; i < x->depth; i++)
        if (!strcmp(x->stack[i].path, path))
            return 1;
    return 0;
}

static int says_once(const struct dal_token *directive)
{
    struct dal_scanner s;
    struct dal_token once;

    if (!dal_scan_directive(directive, "pragma", &s))
        return 0;
    once = dal_scan_next(&s);
    return dal_token_is(&once, "once");
}

static int was_included(const struct dal_expanded *result, const char *path)
{
    size_t i;

    for (i = 0; i < result->once_count; i++)
        if (!strcmp(result->once[i], path))
            return 1;
    return 0;
}

/* #pragma once means nothing in a text made of several files: it is done here and taken out. */
static int take_once(struct expansion *x, const struct dal_token *directive)
{
    struct dal_expanded *result = x->result;
    struct frame *f = &x->stack[x->depth - 1];

    copy_until(x, f, directive->start);
    f->copied = directive->start + directive->length;
    if (was_included(result, f->path))
        return DAL_OK;
    if (dal_grow(&result->once, result->once_count, &result->once_room, sizeof(char *)))
        return DAL_ERR_NOMEM;
    result->once[result->once_count] = dal_strdup(f->path);
    return result->once[result->once_count] ? (result->once_count++, DAL_OK) : DAL_ERR_NOMEM;
}

/* A file that includes itself, by whatever way round, does so behind a guard: it is left out. A
 * file that cannot be read may be in a branch that is not taken: its line is left as it is. */
static int take_directive(struct expansion *x, const struct dal_token *directive)
{
    struct frame *f = &x->stack[x->depth - 1];
    const char *name;
    size_t length = dal_scan_include(directive, &name);
    char *path;

    if (says_once(directive))
        return take_once(x, directive);
    if (!length || x->depth == MAX_DEPTH)
        return DAL_OK;
    path = dal_unit_include_path(f->path, name, length);
    if (!path)
        return DAL_ERR_NOMEM;
    if (access(path, R_OK)) {
        dal_free(path);
        return DAL_OK;
    }
    copy_until(x, f, directive->start);
    f->copied = directive->start + directive->length;
    if (!is_open(x, path) && !was_included(x->result, path))
        return open_file(x, path);
    dal_free(path);
    return DAL_OK;
}

static int expand_token(struct expansion *x)
{
    struct dal_token token = dal_scan_next(&x->stack[x->depth - 1].scanner);

    if (x->result->text.length > DAL_UNIT_MAX_BYTES) {
        dal_error(x->diags, x->source->place, "missing-source-file",
                  "source '%s', with what it includes, is larger than %u MiB", x->source->location,
                  DAL_UNIT_MAX_BYTES >> 20);
        return DAL_ERR_INVALID;
    }
    if (token.kind == DAL_TOKEN_END)
        close_file(x);
    else if (token.kind == DAL_TOKEN_DIRECTIVE)
        return take_directive(x, &token);
    return DAL_OK;
}

int dal_expand(struct dal_diags *diags, const struct dal_spec_source *source,
               struct dal_expanded *result)
{
    struct expansion x = {.result = result, .source = source, .diags = diags};
    int error;

    *result = (struct dal_expanded){0};
    error = open_file(&x, dal_strdup(source->path));
    while (x.depth && !error)
        error = expand_token(&x);
    while (x.depth) {
        x.depth--;
        dal_free(x.stack[x.depth].data);
        dal_free(x.stack[x.depth].path);
    }
    return !error && result->text.lost ? DAL_ERR_NOMEM : error;
}

void dal_expand_finish(struct dal_expanded *result)
{
    while (result->path_count)
        dal_free(result->paths[--result->path_count]);
    while (result->once_count)
        dal_free(result->once[--result->once_count]);
    dal_free(result->paths);
    dal_free(result->once);
    dal_text_finish(&result->text);
}

/* `at` is behind "#line ": a number and a file, as add_line() wrote them. */
static void take_marker(const struct dal_expanded *result, const char *at,
                        struct dal_spec_place *place)
{
    char *end;
    long line = strtol(at, &end, 10);
    size_t i;

    if (end == at || end[0] != ' ' || end[1] != '"')
        return;
    place->line = (int)line - 1; /* the marker's own line is counted next */
    for (i = 0; i < result->path_count; i++) {
        const char *base = dal_path_base(result->paths[i]);
        if (!strncmp(end + 2, base, strlen(base)) && end[2 + strlen(base)] == '"')
            place->file = result->paths[i];
    }
}

struct dal_spec_place dal_expand_place(struct dal_diags *diags, const struct dal_expanded *result,
                                       int line)
{
    struct dal_spec_place place = {.file = result->paths[0], .line = 0};
    const char *at = dal_text_get(&result->text);

    for (; line > 0 && at; line--) {
        place.line++;
        if (!strncmp(at, "#line ", 6))
            take_marker(result, at + 6, &place);
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    place.file = dal_diag_file(diags, place.file);
    return place;
}
