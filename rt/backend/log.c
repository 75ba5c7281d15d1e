#define _GNU_SOURCE
#include "rt/backend/log.h"

#include "rt/base/alloc.h"
#include "rt/base/memory_stream.h"

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

/* Names that compilers give to a program that is no file. */
static const char *const nameless[] = {
    "input.cl",        /* Oclgrind */
    "<*>",             /* NVIDIA "<kernel>", clang "<stdin>" */
    "*/tempfile_*.cl", /* PoCL */
    "*/tempfile-*.cl", /* PoCL 4 and later */
};

/* Messages of compilers when the device has too little for a kernel. */
static const char *const lacking[] = {
    "*uses too much shared data*",             /* NVIDIA's ptxas: local memory */
    "*local memory (*) exceeds limit (*) in*", /* AMD's, of clang */
};

static const struct {
    const char *word, *level;
} levels[] = {
    {.word = "fatal error: ", .level = "error"},
    {.word = "error: ", .level = "error"},
    {.word = "warning: ", .level = "warning"},
    {.word = "note: ", .level = "note"},
};

/* Returns the level that *text starts with, and moves *text behind it. Returns NULL for none. */
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

/* Reads `name:line:column: ` or `name:line: `, and moves *text behind it. Returns 0 when there is
 * none. */
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

/* Reads `#line N "file"` or `# N "file"` at the start of a line of the program. */
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

static const char *next_line(const char *text)
{
    text = strchr(text, '\n');
    return text ? text + 1 : NULL;
}

/* Finds the place that line `line` of the program comes from, by its #line directives. Returns 1 if
 * there is one before it. */
static int look_up(const char *text, const char *file, long line, struct place *place)
{
    struct place found = {.line = 1};
    int directed = 0;
    snprintf(found.file, sizeof(found.file), "%s", file);
    for (long number = 1; number < line && text; number++, text = next_line(text)) {
        if (read_directive(text, &found))
            directed = 1;
        else
            found.line++;
    }
    *place = found;
    return directed;
}

/* Does a #line directive name this file? */
static int is_directed(const char *text, const char *file)
{
    struct place place;
    for (; text; text = next_line(text))
        if (read_directive(text, &place) && strcmp(place.file, file) == 0)
            return 1;
    return 0;
}

/* Corrects a place by the #line directives. Returns 1 if they name a file for its line. */
static int correct_place(struct place *place, const char *file, const char *text)
{
    for (size_t i = 0; i < sizeof(nameless) / sizeof(nameless[0]); i++)
        if (fnmatch(nameless[i], place->file, 0) == 0)
            return look_up(text, file, place->line, place);
    return is_directed(text, place->file);
}

/* Reads a message. clang writes the level behind the place, PoCL before it. */
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

/* Writes a log's lines to a new text. */
struct writer {
    const char *file, *text;
    int warnings; /* true if only warnings and their notes are written */
    int attached; /* true if a note belongs to the warning that was just written */
    struct dal_memory_stream out;
};

static void print_message(FILE *out, const struct message *message)
{
    fprintf(out, "%s:%ld: %s: [kernel-build] %.*s\n", message->place.file, message->place.line,
            message->level, message->bytes, message->text);
}

/* Has the message been written before? PoCL tells twice what its preprocessor has found. */
static int is_written(struct writer *writer, const struct message *message)
{
    char *line = dal_format("%s:%ld: %s: [kernel-build] %.*s\n", message->place.file,
                            message->place.line, message->level, message->bytes, message->text);
    int found =
        line && fflush(writer->out.file) == 0 && writer->out.text && strstr(writer->out.text, line);
    dal_free(line);
    return found;
}

static void write_warning(struct writer *writer, const struct message *message, int is_users)
{
    if (strcmp(message->level, "note") != 0)
        writer->attached =
            is_users && strcmp(message->level, "warning") == 0 && !is_written(writer, message);
    if (writer->attached && is_users)
        print_message(writer->out.file, message);
}

static void write_line(struct writer *writer, const char *line, const char *end)
{
    struct message message;
    int is_users;
    if (end == line)
        return;
    if (!read_message(line, end, &message)) {
        if (!writer->warnings)
            fprintf(writer->out.file, "%.*s\n", (int)(end - line), line);
        return;
    }
    is_users = correct_place(&message.place, writer->file, writer->text);
    if (writer->warnings)
        write_warning(writer, &message, is_users);
    else
        print_message(writer->out.file, &message);
}

static char *convert(const char *log, const char *file, const char *text, int warnings)
{
    struct writer writer = {.file = file, .text = text, .warnings = warnings};
    char *made, *copy;
    dal_memory_open(&writer.out);
    if (!writer.out.file)
        return NULL;
    while (*log) {
        const char *end = strchrnul(log, '\n');
        write_line(&writer, log, end);
        log = *end ? end + 1 : end;
    }
    made = dal_memory_close(&writer.out);
    copy = made ? dal_strdup(made) : NULL;
    free(made);
    return copy;
}

char *dal__build_log(const char *log, const char *file, const char *text)
{
    return convert(log, file, text, 0);
}

char *dal__build_log_warnings(const char *log, const char *file, const char *text)
{
    return convert(log, file, text, 1);
}

int dal__build_log_lacks(const char *log)
{
    for (size_t i = 0; i < sizeof(lacking) / sizeof(lacking[0]); i++)
        if (fnmatch(lacking[i], log, 0) == 0)
            return 1;
    return 0;
}
