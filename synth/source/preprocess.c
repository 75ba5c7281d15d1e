/* A kernel's source through the preprocessor of the program's compiler. */
#include "synth/source/expand.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/error.h"
#include "synth/source/reader.h"
#include "synth/source/unit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 512 };

struct preprocessing {
    struct dal_diags *diags;
    const struct dal_spec_source *source;
    const char *constants;
    struct dal_expanded *result;
    char real[PATH_MAX]; /* the source's path */
    char *words[MOST_WORDS];
    int count;
    char *path; /* of the file that the line at hand is of; NULL of none */
    int line;
    int errors;
};

/* ---- the command ----------------------------------------------------------------------------- */

/* Takes the word over. */
static void add_word(struct preprocessing *pp, char *word)
{
    pp->result->text.lost |= !word;
    if (word && pp->count < MOST_WORDS - 1)
        pp->words[pp->count++] = word;
    else
        dal_free(word);
}

/* All words, or of a source's options those that the preprocessor knows. */
static void add_words(struct preprocessing *pp, const char *options, int all)
{
    int takes_next = 0;
    struct dal_text word = {0};

    while (options && dal_text_next_word(&options, &word) > 0) {
        const char *at = dal_text_get(&word);
        int is_ours =
            strncmp(at, "-D", 2) == 0 || strncmp(at, "-U", 2) == 0 || strncmp(at, "-I", 2) == 0;
        if (all || takes_next || is_ours)
            add_word(pp, dal_strdup(at));
        takes_next = is_ours && !takes_next && !at[2];
    }
    pp->result->text.lost |= word.lost;
    dal_text_finish(&word);
}

/* "#define NAME VALUE", a line each. */
static void add_constants(struct preprocessing *pp)
{
    const char *at = pp->constants;
    char name[256], value[256];

    for (; *at; at += strcspn(at, "\n"), at += *at == '\n')
        if (sscanf(at, "#define %255s %255[^\n]", name, value) == 2)
            add_word(pp, dal_format("-D%s=%s", name, value));
}

static void add_each(struct preprocessing *pp, const struct dal_text *lines)
{
    const char *at = dal_text_get(lines);

    for (; *at; at += strcspn(at, "\n") + 1)
        add_word(pp, dal_format("%.*s", (int)strcspn(at, "\n"), at));
}

static void make_command(struct preprocessing *pp, const struct dal_text *defines)
{
    const char *cc = getenv("CC");

    add_words(pp, cc && *cc ? cc : "cc", 1);
    add_words(pp, "-E -dD -undef -nostdinc -x c -std=gnu99 -w -Wfatal-errors", 1);
    add_constants(pp);
    add_each(pp, defines);
    add_words(pp, pp->source->cflags, 0);
    add_word(pp, dal_strdup(pp->real));
    pp->words[pp->count] = NULL;
}

/* ---- its output ------------------------------------------------------------------------------ */

/* As the user knows the file: below the source's folder, by the way that leads there. */
static char *user_path(const struct preprocessing *pp, const char *path)
{
    const char *given = pp->source->path;
    size_t folder = (size_t)(dal_path_base(pp->real) - pp->real);

    if (strncmp(path, pp->real, folder) != 0)
        return dal_strdup(path);
    return dal_format("%.*s%s", (int)(dal_path_base(given) - given), given, path + folder);
}

static void note_path(struct preprocessing *pp)
{
    struct dal_expanded *result = pp->result;
    size_t i;

    for (i = 0; i < result->path_count; i++)
        if (strcmp(result->paths[i], pp->path) == 0)
            return;
    if (dal_grow(&result->paths, result->path_count, &result->path_room, sizeof(char *)) == 0) {
        result->paths[result->path_count] = dal_strdup(pp->path);
        result->text.lost |= !result->paths[result->path_count++];
    } else
        result->text.lost = 1;
}

/* A string as the preprocessor writes it. */
static char *unquote(const char *at, const char *end)
{
    char *name = dal_strdup(at), *to = name;

    for (; name && at < end && *at != '"'; at++) {
        if (*at == '\\' && at[1] >= '0' && at[1] <= '7') {
            *to++ = (char)((at[1] - '0') * 64 + (at[2] - '0') * 8 + at[3] - '0');
            at += 3;
            continue;
        }
        if (*at == '\\')
            at++;
        *to++ = *at;
    }
    if (name)
        *to = '\0';
    return name;
}

/* '# 12 "file" ...': nothing that has its name in angle brackets is a file. */
static void take_marker(struct preprocessing *pp, const char *at, const char *end)
{
    char *behind, *name;
    long line = strtol(at + 2, &behind, 10);

    name = *behind == ' ' && behind[1] == '"' ? unquote(behind + 2, end) : NULL;
    dal_free(pp->path);
    pp->path = NULL;
    if (name && *name != '<' && line > 0) {
        pp->path = user_path(pp, name);
        pp->line = (int)line - 1;
        if (pp->path) {
            note_path(pp);
            dal_text_printf(&pp->result->text, "#line %ld ", line);
            dal_text_add_literal(&pp->result->text, dal_path_base(pp->path));
            dal_text_add(&pp->result->text, "\n");
        }
        pp->result->text.lost |= !pp->path;
    }
    dal_free(name);
}

static void refuse_line(struct preprocessing *pp, const char *path, int line, const char *words,
                        int length)
{
    struct dal_spec_place place = {.file = dal_diag_file(pp->diags, path), .line = line};

    dal_error(pp->diags, place, "kernel-build", "%.*s", length, words);
    pp->errors++;
}

/* "#define NAME VALUE", of the source: of one of our constants it says the same. */
static void check_define(struct preprocessing *pp, const char *at, const char *end)
{
    const char *name = at + strlen("#define "), *value, *ours;
    size_t length = strcspn(name, " (\n");
    char *line = dal_format("#define %.*s ", (int)length, name);

    ours = line ? strstr(pp->constants, line) : NULL;
    value = name + length + strspn(name + length, " ");
    if (ours) {
        ours += strlen(line);
        ours += strspn(ours, " ");
        if (strcspn(ours, "\n") != (size_t)(end - value) ||
            strncmp(ours, value, (size_t)(end - value)) != 0) {
            char *words = dal_format("'%.*s' is a constant of the network: %.*s", (int)length, name,
                                     (int)strcspn(ours, "\n"), ours);
            refuse_line(pp, pp->path, pp->line, words ? words : "", words ? (int)strlen(words) : 0);
            dal_free(words);
        }
    }
    dal_free(line);
}

/* With one character for a digraph, and a space: it is as long. */
static void add_line(struct dal_text *text, const char *at, const char *end)
{
    static const char *const pairs[] = {"<%{", "%>}", "<:[", ":>]"};
    char quote = 0;

    for (; at < end; at++) {
        size_t i, found = 4;
        for (i = 0; !quote && i < 4; i++)
            if (at + 1 < end && strncmp(at, pairs[i], 2) == 0)
                found = i;
        if (found < 4) {
            dal_text_printf(text, "%c ", pairs[found][2]);
            at++;
            continue;
        }
        if (quote && *at == '\\' && at + 1 < end)
            dal_text_add_bytes(text, at++, 1);
        else if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? 0 : *at;
        dal_text_add_bytes(text, at, 1);
    }
}

static void take_line(struct preprocessing *pp, const char *at, const char *end)
{
    struct dal_text *text = &pp->result->text;

    if (at[0] == '#' && at[1] == ' ') {
        take_marker(pp, at, end);
        return;
    }
    if (!pp->path)
        return;
    pp->line++;
    if (strncmp(at, "#define ", 8) == 0)
        check_define(pp, at, end);
    else if (strncmp(at, "#undef ", 7) != 0)
        add_line(text, at, end);
    dal_text_add(text, "\n");
}

/* "PATH:LINE:COLUMN: error: WORDS", perhaps "fatal error". */
static void take_error(struct preprocessing *pp, const char *at, const char *end)
{
    const char *colon = strchr(at, ':'), *words = strstr(at, "error: ");
    char *name, *path;

    if (!colon || !words || words > end || colon > words || atoi(colon + 1) <= 0)
        return;
    name = dal_format("%.*s", (int)(colon - at), at);
    path = name ? user_path(pp, name) : NULL;
    words += strlen("error: ");
    if (path)
        refuse_line(pp, path, atoi(colon + 1), words, (int)(end - words));
    dal_free(path);
    dal_free(name);
}

static void take_lines(struct preprocessing *pp, const char *output,
                       void (*take)(struct preprocessing *, const char *, const char *))
{
    while (*output) {
        const char *end = output + strcspn(output, "\n");
        take(pp, output, end);
        output = end + (*end == '\n');
    }
}

static int take_output(struct preprocessing *pp, int status, const char *output)
{
    static const char too_large[] = "this source is too large behind the preprocessor";

    if (strlen(output) == DAL_UNIT_MAX_BYTES)
        refuse_line(pp, pp->source->path, 1, too_large, (int)strlen(too_large));
    else if (status == 0)
        take_lines(pp, output, take_line);
    else
        take_lines(pp, output, take_error);
    if (status && !pp->errors)
        refuse_line(pp, pp->source->path, 1, output, (int)strcspn(output, "\n"));
    if (pp->result->text.lost)
        return DAL_ERR_NOMEM;
    return pp->errors ? DAL_ERR_INVALID : DAL_OK;
}

int dal_preprocess(struct dal_diags *diags, const struct dal_spec_source *source,
                   const char *folder, const char *constants, const struct dal_text *defines,
                   struct dal_expanded *result)
{
    struct preprocessing pp = {
        .diags = diags, .source = source, .constants = constants, .result = result};
    struct dal_child child = {.argv = (const char *const *)pp.words,
                              .folder = folder,
                              .limit_ns = DAL_READER_SECONDS * INT64_C(1000000000),
                              .most = DAL_UNIT_MAX_BYTES};
    char *data, *output = NULL;
    size_t length;
    int error;

    *result = (struct dal_expanded){0};
    error = dal_unit_read(diags, source, source->path, &data, &length);
    if (error)
        return error;
    dal_free(data);
    if (!realpath(source->path, pp.real))
        return DAL_ERR_SYSTEM;
    make_command(&pp, defines);
    error = result->text.lost ? DAL_ERR_NOMEM : dal_child_run(&child, &output);
    if (error >= 0)
        error = take_output(&pp, error, output);
    else if (error == DAL_ERR_LIMIT || error == DAL_ERR_SYSTEM)
        error = dal__unit_unread(diags, source);
    dal_free(output);
    dal_free(pp.path);
    while (pp.count)
        dal_free(pp.words[--pp.count]);
    return error;
}
