#include "rt/base/error.h"

#include "rt/base/sync.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Longer messages are cut, with "..." at the end; a line stays one write(2) below PIPE_BUF. */
#define LINE_BYTES 4096

static const char *program = "dal";
/* Stored with release after the data that the listener needs, loaded with acquire before it is
 * called. */
static void (*_Atomic heard_by)(enum dal_log_level level, const char *message);

static _Thread_local struct dal_log_sink *sink;

struct dal_log_sink *dal_log_to(struct dal_log_sink *to)
{
    struct dal_log_sink *before = sink;
    sink = to;
    return before;
}

struct dal_log_sink *dal_log_sink(void)
{
    return sink;
}

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

static const char *const level_names[] = {
    [DAL_LOG_ERROR] = "error",
    [DAL_LOG_WARNING] = "warning",
    [DAL_LOG_NOTE] = "note",
};

const char *dal_log_level_name(enum dal_log_level level)
{
    return level_names[level];
}

void dal_log_listen(void (*listener)(enum dal_log_level level, const char *message))
{
    atomic_store_explicit(&heard_by, listener, memory_order_release);
}

static void tell_listener(enum dal_log_level level, char *message, size_t bytes)
{
    void (*listener)(enum dal_log_level, const char *) =
        atomic_load_explicit(&heard_by, memory_order_acquire);
    if (!listener)
        return;
    message[bytes - 1] = 0; /* replaces the newline, which has been written */
    listener(level, message);
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

static size_t add_text(char *line, size_t used, size_t room, const char *text)
{
    while (*text && used < room)
        line[used++] = *text++;
    return used;
}

void dal_log_now(const char *const *texts)
{
    char line[LINE_BYTES / 4];
    size_t used = add_text(line, 0, sizeof(line) - 1, program), begin;
    begin = used = add_text(line, used, sizeof(line) - 1, ": error: ");
    for (; *texts; texts++)
        used = add_text(line, used, sizeof(line) - 1, *texts);
    line[used++] = '\n';
    write_all(line, used);
    tell_listener(DAL_LOG_ERROR, line + begin, used - begin);
}

void dal_log(enum dal_log_level level, const char *format, ...)
{
    static const char cut[] = "...\n";
    char line[LINE_BYTES];
    size_t used = 0, begin;
    va_list list;
    int n;
    if (level == DAL_LOG_NOTHING)
        return;
    n = snprintf(line, sizeof(line) / 2, "%s: %s: ", program, level_names[level]);
    if (n > 0)
        used = (size_t)n < sizeof(line) / 2 ? (size_t)n : sizeof(line) / 2 - 1;
    begin = used;
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
    if (!sink) {
        write_all(line, used);
        tell_listener(level, line + begin, used - begin);
        return;
    }
    line[used - 1] = 0; /* instead of the newline */
    sink->take(sink, level, line + begin);
}

int dal_no_memory(void)
{
    dal_log(DAL_LOG_ERROR, "no memory for the network");
    return DAL_ERR_NOMEM;
}
