#include "rt/base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Longer messages are cut, with "..." at the end; a line stays one write(2) below PIPE_BUF. */
#define LINE_BYTES 4096

static const char *program = "dal";
static _Thread_local int is_lenient, is_silent;

const char *dal_strerror(int code)
{
    switch (code) {
#define CASE(name, value, text)                                                                    \
    case DAL_##name:                                                                               \
        return text;
        DAL_ERROR_LIST(CASE)
#undef CASE
    }
    return "unknown error";
}

void dal_log_program(const char *name)
{
    program = name;
}

void dal_log_lenient(int lenient)
{
    is_lenient = lenient;
}

void dal_log_silent(int silent)
{
    is_silent = silent;
}

int dal_log_is_silent(void)
{
    return is_silent;
}

static const char *level_name(enum dal_log_level level)
{
    static const char *const names[] = {
        [DAL_LOG_ERROR] = "error",
        [DAL_LOG_WARNING] = "warning",
        [DAL_LOG_NOTE] = "note",
    };
    return names[level == DAL_LOG_ERROR && is_lenient ? DAL_LOG_WARNING : level];
}

static void write_all(const char *text, size_t bytes)
{
    while (bytes > 0) {
        ssize_t done = write(STDERR_FILENO, text, bytes);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return;
        text += done;
        bytes -= (size_t)done;
    }
}

void dal_log(enum dal_log_level level, const char *format, ...)
{
    static const char cut[] = "...\n";
    char line[LINE_BYTES];
    size_t used = 0;
    va_list list;
    int n;

    if (is_silent)
        return;
    n = snprintf(line, sizeof(line) / 2, "%s: %s: ", program, level_name(level));
    if (n > 0)
        used = (size_t)n < sizeof(line) / 2 ? (size_t)n : sizeof(line) / 2 - 1;
    va_start(list, format);
    n = vsnprintf(line + used, sizeof(line) - used, format, list);
    va_end(list);
    if (n < 0)
        return;
    used += (size_t)n;
    if (used + 1 < sizeof(line)) {
        line[used++] = '\n';
    } else {
        used = sizeof(line);
        memcpy(line + used - (sizeof(cut) - 1), cut, sizeof(cut) - 1);
    }
    write_all(line, used);
}
