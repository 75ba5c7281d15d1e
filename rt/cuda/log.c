/* Makes the log of CUDA's compiler one about the user's lines. */
#define _GNU_SOURCE
#include "rt/base/alloc.h"
#include "rt/base/memory_stream.h"
#include "rt/cuda/build.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds `(12): ` behind a file's name, its number, and the place behind it. Returns NULL when there
 * is none. */
static const char *find_place(const char *line, const char *end, long *number, const char **after)
{
    const char *open = line;
    while ((open = memchr(open, '(', (size_t)(end - open)))) {
        char *close;
        *number = strtol(open + 1, &close, 10);
        if (open > line && close > open + 1 && *number > 0 && strncmp(close, "): ", 3) == 0) {
            *after = close + 3;
            return open;
        }
        open++;
    }
    return NULL;
}

static const struct {
    const char *word, *level;
} levels[] = {
    {.word = "catastrophic error", .level = "error"},
    {.word = "error", .level = "error"},
    {.word = "warning", .level = "warning"},
    {.word = "remark", .level = "note"},
    {.word = "note", .level = "note"},
};

/* Reads `warning #177-D: `, and moves *text behind it. */
static const char *read_level(const char **text)
{
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        const char *at = *text;
        if (strncmp(at, levels[i].word, strlen(levels[i].word)) != 0)
            continue;
        at += strlen(levels[i].word);
        if (strncmp(at, " #", 2) == 0)
            at += strcspn(at, ":\n");
        if (strncmp(at, ": ", 2) != 0)
            continue;
        *text = at + 2;
        return levels[i].level;
    }
    return NULL;
}

static int is_marker(const char *line)
{
    line += strspn(line, " \t");
    return *line == '^' && (line[1] == '\n' || line[1] == '\0');
}

/* Is the line to be left out? These are lines of the source with the mark below, the mark, and the
 * lines at the end. Messages about pragmas are left out, too: the pragmas are OpenCL's. */
static int is_left_out(const char *line, const char *end)
{
    size_t bytes = (size_t)(end - line);
    return bytes == strspn(line, " \t") || is_marker(line) || (*end && is_marker(end + 1)) ||
           strncmp(line, "Remark: ", 8) == 0 || memmem(line, bytes, "unrecognized #pragma", 20) ||
           (isdigit((unsigned char)*line) &&
            memmem(line, bytes, "detected in the compilation", 27));
}

static void write_line(FILE *out, const char *line, const char *end)
{
    long number = 0;
    const char *text = NULL, *level;
    const char *open = find_place(line, end, &number, &text);
    if (is_left_out(line, end))
        return;
    level = open ? read_level(&text) : NULL;
    if (level)
        fprintf(out, "%.*s:%ld: %s: %.*s\n", (int)(open - line), line, number, level,
                (int)(end - text), text);
    else
        fprintf(out, "%.*s\n", (int)(end - line), line);
}

char *dal__cuda_log(const char *log)
{
    struct dal_memory_stream out;
    char *made, *copy;
    dal_memory_open(&out);
    if (!out.file)
        return NULL;
    while (*log) {
        const char *end = strchrnul(log, '\n');
        write_line(out.file, log, end);
        log = *end ? end + 1 : end;
    }
    made = dal_memory_close(&out);
    copy = made ? dal_strdup(made) : NULL;
    free(made);
    return copy;
}
