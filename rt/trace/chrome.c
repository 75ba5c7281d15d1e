/* Writes Chrome's trace events as JSON: complete events ("X"), in microseconds (Trace Event
 * Format). */
#include "rt/base/error.h"
#include "rt/base/json.h"
#include "rt/trace/trace_file.h"

#include <inttypes.h>

static void write_name(FILE *file, const char *what, const char *name)
{
    fprintf(file, "\"args\":{\"name\":");
    dal_json_print(file, name);
    fputs(what, file);
}

static void write_firings(FILE *file, const struct dal_trace_record *record)
{
    fprintf(file, "\"firings\":%" PRIu64, record->amount);
    if (record->late_ns >= 0)
        fprintf(file, ",\"late_us\":%.3f", 1e-3 * (double)record->late_ns);
    if (record->through_ns >= 0)
        fprintf(file, ",\"through_us\":%.3f", 1e-3 * (double)record->through_ns);
    if (record->tokens)
        fprintf(file, ",\"tokens\":%" PRIu64, record->tokens);
    if (record->made)
        fprintf(file, ",\"tokens_out\":%" PRIu64, record->made);
}

static void write_move(FILE *file, const struct dal_trace_record *record, const char *moves)
{
    fprintf(file, "\"direction\":\"%s\",\"bytes\":%" PRIu64 ",\"bytes_per_s\":%" PRIu64, moves,
            record->amount, dal__trace_speed(record));
}

static void write_row_events(FILE *file, const struct dal_trace *trace,
                             const struct dal_trace_view *row, int number)
{
    const char *at = row->records, *moves = dal__trace_moves(row);
    struct dal_trace_record record;
    for (uint64_t k = 0; k < row->count; k++) {
        at = dal__trace_read(trace, at, &record);
        fputs(",\n{\"ph\":\"X\",\"name\":", file);
        dal_json_print(file, trace->names[record.name]);
        fprintf(file, ",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,\"args\":{", row->process,
                number, 1e-3 * (double)record.begin_ns,
                1e-3 * (double)(record.end_ns - record.begin_ns));
        if (moves)
            write_move(file, &record, moves);
        else
            write_firings(file, &record);
        fputs("}}", file);
    }
}

/* Writes a counter ("C") of a channel. */
static void write_level(FILE *file, const struct dal_trace *trace,
                        const struct dal_trace_level_view *level)
{
    const char *at = level->points;
    struct dal_trace_point point;
    for (uint64_t k = 0; k < level->count; k++) {
        at = dal__trace_read_point(trace, at, &point);
        fputs(",\n{\"ph\":\"C\",\"name\":", file);
        dal_json_print(file, level->name);
        fprintf(file, ",\"pid\":%d,\"ts\":%.3f,\"args\":{\"tokens\":%" PRIu64 "}}", level->process,
                1e-3 * (double)point.at_ns, point.tokens);
    }
}

static int write_chrome(FILE **files, const struct dal_trace *trace)
{
    FILE *file = files[0];
    int number = 0;
    fputs("{\"displayTimeUnit\":\"ns\",", file);
    if (trace->about)
        fprintf(file, "\"otherData\":{%s},", trace->about);
    fputs("\"traceEvents\":[\n", file);
    for (int i = 0; i < trace->row_count; i++, number++) {
        const struct dal_trace_view *row = &trace->rows[i];
        if (i == 0 || row->process != row[-1].process)
            number = 0;
        fprintf(file, "%s{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%d,",
                i ? ",\n" : "", row->process, number);
        write_name(file, "", row->name);
        if (dal__trace_moves(row))
            fprintf(file, ",\"moves\":\"%s\"", dal__trace_moves(row));
        fprintf(file, row->lost ? ",\"lost\":%" PRIu64 "}}" : "}}", row->lost);
        write_row_events(file, trace, row, number);
        if (row->node && number == 0) {
            fprintf(file, ",\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,", row->process);
            write_name(file, "}}", row->node);
        }
    }
    for (int i = 0; trace->row_count && i < trace->level_count; i++)
        write_level(file, trace, &trace->levels[i]);
    fputs("\n]}\n", file);
    return DAL_OK;
}

const struct dal_trace_format dal__trace_chrome = {.endings = {".json"}, .write = write_chrome};
