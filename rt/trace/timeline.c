/*
 * A trace for a page, as one object of JSON:
 *
 *     {"span_ns": N, "names": [NAME...],
 *      "rows": [{"name", "node", "lost", "moves",
 *                "events": [NAME-NUMBER, BEGIN, LENGTH, FIRINGS or BYTES, ...]}...],
 *      "levels": [{"channel", "node", "points": [TIME, TOKENS, ...]}...]}
 *
 * Times are ns from the earliest on. Events of a row are in the order in which they began. `lost`
 * is the number of older events that are missing. `moves` is the direction of rows that move
 * tokens, whose events have bytes; otherwise it is "".
 */
#include "rt/base/json.h"
#include "rt/trace/trace_file.h"

#include <inttypes.h>

enum { MOST_EVENTS = 400000 }; /* of all rows */

static void print_names(FILE *file, const struct dal_trace *trace)
{
    for (uint32_t i = 0; i < trace->name_count; i++) {
        if (i)
            putc(',', file);
        dal_json_print(file, trace->names[i]);
    }
}

static void print_name(FILE *file, const char *what, const char *name, const char *node)
{
    fprintf(file, "{\"%s\":", what);
    dal_json_print(file, name);
    fputs(",\"node\":", file);
    dal_json_print(file, node ? node : "");
}

static void print_row(FILE *file, const struct dal_trace *trace, const struct dal_trace_view *row)
{
    uint64_t most = MOST_EVENTS / (uint64_t)trace->row_count, k;
    uint64_t cut = row->count > most ? row->count - most : 0;
    const char *at = row->records, *comma = "", *moves = dal__trace_moves(row);
    struct dal_trace_record record;
    print_name(file, "name", row->name, row->node);
    fprintf(file, ",\"lost\":%" PRIu64 ",\"moves\":\"%s\",\"events\":[", row->lost + cut,
            moves ? moves : "");
    for (k = 0; k < row->count; k++) {
        at = dal__trace_read(trace, at, &record);
        if (k < cut)
            continue;
        fprintf(file, "%s%" PRIu32 ",%" PRId64 ",%" PRId64 ",%" PRIu64, comma, record.name,
                record.begin_ns, record.end_ns - record.begin_ns, record.amount);
        comma = ",";
    }
    fputs("]}", file);
}

static void print_level(FILE *file, const struct dal_trace *trace,
                        const struct dal_trace_level_view *level)
{
    const char *at = level->points;
    struct dal_trace_point point;
    print_name(file, "channel", level->name, level->node);
    fputs(",\"points\":[", file);
    for (uint64_t k = 0; k < level->count; k++) {
        at = dal__trace_read_point(trace, at, &point);
        fprintf(file, "%s%" PRId64 ",%" PRIu64, k ? "," : "", point.at_ns, point.tokens);
    }
    fputs("]}", file);
}

void dal__trace_print_timeline(FILE *file, const struct dal_trace *trace)
{
    fprintf(file, "{\"span_ns\":%" PRId64 ",\"names\":[", trace->end_ns - trace->begin_ns);
    print_names(file, trace);
    fputs("],\"rows\":[", file);
    for (int i = 0; i < trace->row_count; i++) {
        fputs(i ? ",\n" : "\n", file);
        print_row(file, trace, &trace->rows[i]);
    }
    fputs("],\"levels\":[", file);
    for (int i = 0; i < trace->level_count; i++) {
        fputs(i ? ",\n" : "\n", file);
        print_level(file, trace, &trace->levels[i]);
    }
    fputs("]}", file);
}
