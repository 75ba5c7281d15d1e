#include "rt/report/trace.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/json.h"
#include "rt/base/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 65536, MOST_ROOM = 100000000 };

static const char *file_name(void)
{
    const char *value = getenv("DAL_TRACE");
    return value && *value && strcmp(value, "0") != 0 ? value : NULL;
}

int dal_trace_wanted(void)
{
    return file_name() != NULL;
}

int dal_trace_row_init(struct dal_trace_row *row, const char *name)
{
    const char *text = getenv("DAL_TRACE_EVENTS");
    char *rest = NULL;
    unsigned long long room = text ? strtoull(text, &rest, 10) : ROOM;
    if (!dal_trace_wanted())
        return DAL_OK;
    if (text && (rest == text || *rest || room < 1 || room > MOST_ROOM)) {
        dal_log(DAL_LOG_ERROR, "DAL_TRACE_EVENTS=%s: not a number from 1 to %d", text, MOST_ROOM);
        return DAL_ERR_INVALID;
    }
    *row = (struct dal_trace_row){.name = name, .room = room};
    row->events = dal_calloc(room, sizeof(*row->events));
    return row->events ? DAL_OK : DAL_ERR_NOMEM;
}

void dal_trace_row_finish(struct dal_trace_row *row)
{
    dal_free(row->events);
    *row = (struct dal_trace_row){0};
}

void dal_trace_add(struct dal_trace_row *row, struct dal_trace_event event)
{
    if (row->room)
        row->events[row->count++ % row->room] = event;
}

/* The earliest moment kept, which becomes 0. */
static int64_t earliest(const struct dal_trace_row *row)
{
    int64_t first = INT64_MAX;
    for (; row; row = row->next) {
        uint64_t k, kept = row->count < row->room ? row->count : row->room;
        for (k = 0; k < kept; k++)
            if (row->events[k].begin_ns < first)
                first = row->events[k].begin_ns;
    }
    return first;
}

static void write_event(FILE *file, const struct dal_trace_event *event, int process, int number,
                        int64_t zero)
{
    fputs(",\n{\"ph\":\"X\",\"name\":", file);
    dal_json_print(file, event->name);
    fprintf(file,
            ",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,"
            "\"args\":{\"firings\":%" PRIu64 "}}",
            process, number, 1e-3 * (double)(event->begin_ns - zero),
            1e-3 * (double)(event->end_ns - event->begin_ns), event->firings);
}

static void write_row(FILE *file, const struct dal_trace_row *row, int process, int number,
                      int64_t zero)
{
    uint64_t k = row->count > row->room ? row->count - row->room : 0;
    if (k)
        dal_log(DAL_LOG_WARNING, "trace: %" PRIu64 " events of %s lost (DAL_TRACE_EVENTS)", k,
                row->name);
    fprintf(file,
            "%s{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":",
            number ? ",\n" : "", process, number);
    dal_json_print(file, row->name);
    fputs("}}", file);
    for (; k < row->count; k++)
        write_event(file, &row->events[k % row->room], process, number, zero);
}

void dal_trace_write_part(FILE *file, const struct dal_trace_row *rows,
                          const struct dal_trace_origin *origin)
{
    int64_t zero = origin->node ? origin->begin_ns : earliest(rows);
    int count = 0;
    for (; rows; rows = rows->next)
        write_row(file, rows, origin->number, count++, zero);
    if (!origin->node)
        return;
    fprintf(file, "%s{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"args\":{\"name\":",
            count ? ",\n" : "", origin->number);
    dal_json_print(file, origin->node);
    fputs("}}", file);
}

char *dal_trace_file(const char *name, const char *label)
{
    const char *base = strrchr(name, '/'), *end = strrchr(base ? base : name, '.');
    char *file;
    if (!end || end == (base ? base + 1 : name))
        end = name + strlen(name);
    file = label ? dal_format("%.*s-%s%s", (int)(end - name), name, label, end) : dal_strdup(name);
    if (!file)
        dal_log(DAL_LOG_ERROR, "%s: %s", name, dal_strerror(DAL_ERR_NOMEM));
    return file;
}

int dal_trace_check(const char *label)
{
    char *name = file_name() ? dal_trace_file(file_name(), label) : NULL;
    int status = name ? dal_output_check("DAL_TRACE=", name) : DAL_OK;
    if (file_name() && !name)
        status = DAL_ERR_NOMEM;
    dal_free(name);
    return status;
}

int dal_trace_write(const char *const *parts, int count, const char *label, const char *about)
{
    char *name = file_name() ? dal_trace_file(file_name(), label) : NULL;
    struct dal_output out;
    int i, some = 0, status = name ? dal_output_open(&out, "DAL_TRACE=", name) : DAL_ERR_NOMEM;
    if (status == DAL_OK) {
        fputs("{\"displayTimeUnit\":\"ns\",", out.file);
        if (about)
            fprintf(out.file, "\"otherData\":{%s},", about);
        fputs("\"traceEvents\":[\n", out.file);
        for (i = 0; i < count; i++)
            if (*parts[i])
                fprintf(out.file, "%s%s", some++ ? ",\n" : "", parts[i]);
        fputs("\n]}\n", out.file);
        status = dal_output_close(&out);
    }
    dal_free(name);
    return status;
}
