#define _GNU_SOURCE
#include "rt/ocl/log.h"

#include "rt/base/alloc.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 1024

struct place {
    char file[NAME_BYTES];
    long line;
};

struct message {
    struct place place;
    const char *level; /* "error", "warning" or "note" */
    const char *text;
    int bytes;
};

/* Names that compilers give to a program that was no file. */
static const char *const nameless[] = {
    "input.cl",        /* Oclgrind */
    "<*>",             /* NVIDIA "<kernel>", clang "<stdin>" */
    "*/tempfile_*.cl", /* PoCL */
    "*/tempfile-*.cl", /* PoCL 4 and later */
};

static const struct {
    const char *word, *level;
} levels[] = {
    {.word = "fatal error: ", .level = "error"},
    {.word = "error: ", .level = "error"},
    {.word = "warning: ", .level = "warning"},
    {.word = "note: ", .level = "note"},
};

/* The level that `text` starts with; *text moves behind it. NULL for none. */
static const char *read_level(const char **text)
{
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        size_t bytes = strlen(levels[i].word);
        if (strncmp(*text, levels[i].word, bytes) == 0) {
            *text += bytes;
            return levels[i].level;
        }
    }
    return NULL;
}

/* `name:line:column: ` or `name:line: `; *text moves behind it. 0 when there is none. */
static int read_place(const char **text, const char *end, struct place *place)
{
    for (const char *colon = *text; colon < end; colon++) {
        char *after;
        size_t bytes = (size_t)(colon - *text);
        if (*colon != ':' || bytes == 0 || bytes >= NAME_BYTES)
            continue;
        place->line = strtol(colon + 1, &after, 10);
        if (after == colon + 1 || place->line < 1 || *after != ':')
            continue;
        if (strtol(after + 1, NULL, 10) > 0)
            strtol(after + 1, &after, 10);
        if (after + 1 >= end || after[0] != ':' || after[1] != ' ')
            continue;
        memcpy(place->file, *text, bytes);
        place->file[bytes] = '\0';
        *text = after + 2;
        return 1;
    }
    return 0;
}

/* `#line N "file"` or `# N "file"` at the start of a line of the program. */
static int read_directive(const char *line, struct place *place)
{
    char name[NAME_BYTES];
    long number;
    if (sscanf(line, " # line %ld \"%1023[^\"\n]\"", &number, name) != 2 &&
        sscanf(line, " # %ld \"%1023[^\"\n]\"", &number, name) != 2)
        return 0;
    place->line = number;
    memcpy(place->file, name, sizeof(name));
    return 1;
}

/* Where line `line` of the program comes from, by its #line directives. */
static void look_up(const char *text, const char *file, long line, struct place *place)
{
    struct place found = {.line = 1};
    snprintf(found.file, sizeof(found.file), "%s", file);
    for (long number = 1; number < line && text; number++) {
        if (!read_directive(text, &found))
            found.line++;
        text = strchr(text, '\n');
        if (text)
            text++;
    }
    *place = found;
}

static void correct_place(struct place *place, const char *file, const char *text)
{
    for (size_t i = 0; i < sizeof(nameless) / sizeof(nameless[0]); i++) {
        if (fnmatch(nameless[i], place->file, 0) == 0) {
            look_up(text, file, place->line, place);
            return;
        }
    }
}

/* clang writes the level behind the place, PoCL before it. */
static int read_message(const char *line, const char *end, struct message *message)
{
    const char *text = line;
    message->level = read_level(&text);
    if (!read_place(&text, end, &message->place))
        return 0;
    if (!message->level)
        message->level = read_level(&text);
    message->text = text;
    message->bytes = (int)(end - text);
    return message->level != NULL && text <= end;
}

static void write_line(FILE *out, const char *line, const char *end, const char *file,
                       const char *text)
{
    struct message message;
    if (end == line)
        return;
    if (!read_message(line, end, &message)) {
        fprintf(out, "%.*s\n", (int)(end - line), line);
        return;
    }
    correct_place(&message.place, file, text);
    fprintf(out, "%s:%ld: %s: [kernel-build] %.*s\n", message.place.file, message.place.line,
            message.level, message.bytes, message.text);
}

char *dal__ocl_log(const char *log, const char *file, const char *text)
{
    char *memory = NULL, *copy;
    size_t bytes = 0;
    FILE *out = open_memstream(&memory, &bytes);
    if (!out)
        return NULL;
    while (*log) {
        const char *end = strchrnul(log, '\n');
        write_line(out, log, end, file, text);
        log = *end ? end + 1 : end;
    }
    if (fclose(out) != 0) {
        free(memory);
        return NULL;
    }
    copy = dal_strdup(memory);
    free(memory);
    return copy;
}
