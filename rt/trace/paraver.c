/*
 * Paraver's trace (doc/explanation/sources.md: Paraver): a task for each node, a thread for each
 * lane. A state is the process that fires, or 0. An event of type PROCESS repeats it for tables.
 * The names of both are in .pcf, those of threads in .row. Records are in order of time.
 */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/trace/trace_file.h"

#include <inttypes.h>
#include <time.h>

/* Types of events. */
enum {
    PROCESS = 9200001,
    FIRINGS = 9200002,
    LOST = 9200003,
    BYTES = 9200004,
    SPEED = 9200005,
    TOKENS = 9200006,
    MADE = 9200007
};

/* Writes a thread's place, as each record has it: processor, application, task, thread. */
static void write_place(FILE *file, const struct dal_trace *trace, const struct dal_trace_view *row,
                        int kind, uint32_t lane)
{
    const struct dal_trace_view *first = row;
    while (first > trace->rows && first[-1].process == row->process)
        first--;
    lane += row->first_lane;
    fprintf(file, "%d:%u:1:%d:%u:", kind, lane + 1, row->process, lane - first->first_lane + 1);
}

/* ---- records in order of time ---------------------------------------------------------------- */

/* The next record of a row: its next event, or the end of one that has begun. */
struct coming {
    int64_t time_ns;
    int is_end; /* an end goes before beginnings at the same time, but for its own */
    const struct dal_trace_view *row;
    const char *at; /* the place behind the record */
    uint64_t left;  /* events of the row after this one */
    struct dal_trace_record record;
};

/* A binary heap; the earliest record is first. */
struct heap {
    struct coming *items;
    size_t count;
};

static int is_before(const struct coming *a, const struct coming *b)
{
    return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->is_end > b->is_end;
}

static void push_coming(struct heap *heap, struct coming item)
{
    size_t at = heap->count++;
    for (; at > 0 && is_before(&item, &heap->items[(at - 1) / 2]); at = (at - 1) / 2)
        heap->items[at] = heap->items[(at - 1) / 2];
    heap->items[at] = item;
}

static struct coming pop_coming(struct heap *heap)
{
    struct coming first = heap->items[0], last = heap->items[--heap->count];
    size_t at = 0, child;
    while ((child = 2 * at + 1) < heap->count) {
        child += child + 1 < heap->count && is_before(&heap->items[child + 1], &heap->items[child]);
        if (!is_before(&heap->items[child], &last))
            break;
        heap->items[at] = heap->items[child];
        at = child;
    }
    heap->items[at] = last;
    return first;
}

static void push_row(struct heap *heap, const struct dal_trace *trace,
                     const struct dal_trace_view *row, const char *at, uint64_t left)
{
    struct coming item = {.row = row, .left = left - 1};
    if (left == 0)
        return;
    item.at = dal__trace_read(trace, at, &item.record);
    item.time_ns = item.record.begin_ns;
    push_coming(heap, item);
}

static void write_begin(FILE *file, const struct dal_trace *trace, const struct coming *item)
{
    const struct dal_trace_record *record = &item->record;
    const char *moves = dal__trace_moves(item->row);
    write_place(file, trace, item->row, 1, record->lane);
    fprintf(file, "%" PRId64 ":%" PRId64 ":%u\n", record->begin_ns, record->end_ns,
            record->name + 1);
    write_place(file, trace, item->row, 2, record->lane);
    fprintf(file, "%" PRId64 ":%d:%u:%d:%" PRIu64, record->begin_ns, PROCESS, record->name + 1,
            moves ? BYTES : FIRINGS, record->amount);
    if (moves)
        fprintf(file, ":%d:%" PRIu64, SPEED, dal__trace_speed(record));
    if (record->tokens)
        fprintf(file, ":%d:%" PRIu64 ":%d:%" PRIu64, TOKENS, record->tokens, MADE, record->made);
    putc('\n', file);
}

static void write_end(FILE *file, const struct dal_trace *trace, const struct coming *item)
{
    write_place(file, trace, item->row, 2, item->record.lane);
    fprintf(file, "%" PRId64 ":%d:0\n", item->time_ns, PROCESS);
}

static int write_records(FILE *file, const struct dal_trace *trace)
{
    size_t room = (size_t)trace->row_count + trace->lane_count + 1;
    struct heap heap = {dal_calloc(room, sizeof(*heap.items)), 0};
    if (!heap.items) {
        dal_log(DAL_LOG_ERROR, "trace: %s", dal_strerror(DAL_ERR_NOMEM));
        return DAL_ERR_NOMEM;
    }
    for (int i = 0; i < trace->row_count; i++)
        push_row(&heap, trace, &trace->rows[i], trace->rows[i].records, trace->rows[i].count);
    while (heap.count) {
        struct coming item = pop_coming(&heap);
        if (item.is_end) {
            write_end(file, trace, &item);
            continue;
        }
        write_begin(file, trace, &item);
        push_row(&heap, trace, item.row, item.at, item.left);
        item.is_end = 1;
        item.time_ns = item.record.end_ns;
        push_coming(&heap, item);
    }
    dal_free(heap.items);
    return DAL_OK;
}

/* ---- files ----------------------------------------------------------------------------------- */

static uint32_t count_lanes(const struct dal_trace *trace, int process)
{
    uint32_t count = 0;
    for (int i = 0; i < trace->row_count; i++)
        count += trace->rows[i].process == process ? trace->rows[i].lane_count : 0;
    return count;
}

/* Writes #Paraver (date):end:nodes(processors of each):1 application:tasks(threads:node of each) */
static void write_header(FILE *file, const struct dal_trace *trace)
{
    time_t now = time(NULL);
    struct tm parts;
    char date[64] = "01/01/1970 at 00:00";
    if (localtime_r(&now, &parts))
        strftime(date, sizeof(date), "%d/%m/%Y at %H:%M", &parts);
    fprintf(file, "#Paraver (%s):%" PRId64 "_ns:%d(", date, trace->end_ns - trace->begin_ns,
            trace->process_count);
    for (int i = 1; i <= trace->process_count; i++)
        fprintf(file, "%s%u", i > 1 ? "," : "", count_lanes(trace, i));
    fprintf(file, "):1:%d(", trace->process_count);
    for (int i = 1; i <= trace->process_count; i++)
        fprintf(file, "%s%u:%d", i > 1 ? "," : "", count_lanes(trace, i), i);
    fputs(")\n", file);
}

/* Writes a name as one line. */
static void write_line(FILE *file, const char *text)
{
    for (; *text; text++)
        putc((unsigned char)*text < ' ' ? ' ' : *text, file);
    putc('\n', file);
}

static void write_values(FILE *file, const struct dal_trace *trace, const char *none)
{
    fprintf(file, "0    %s\n", none);
    for (uint32_t i = 0; i < trace->name_count; i++) {
        fprintf(file, "%u    ", i + 1);
        write_line(file, trace->names[i]);
    }
}

/* Writes colours of many hues, none of them dark: steps of the golden ratio around the circle. */
static void write_colours(FILE *file, uint32_t count)
{
    fputs("\nSTATES_COLOR\n0    {117,195,255}\n", file);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t hue = i * 989 % 1536, step = hue % 256, sector = hue / 256;
        uint32_t up = 64 + step * 3 / 4, down = 255 - step * 3 / 4;
        uint32_t red[] = {255, down, 64, 64, up, 255}, green[] = {up, 255, 255, down, 64, 64};
        uint32_t blue[] = {64, 64, up, 255, 255, down};
        fprintf(file, "%u    {%u,%u,%u}\n", i + 1, red[sector], green[sector], blue[sector]);
    }
}

/* Events whose values are numbers. */
static const struct {
    int type;
    const char *name;
} numbers[] = {
    {FIRINGS, "Firings"},
    {LOST, "Events lost"},
    {BYTES, "Bytes moved"},
    {SPEED, "Bytes a second"},
    {TOKENS, "Tokens of counted ports"},
    {MADE, "Tokens written at counted ports"},
};

static void write_config(FILE *file, const struct dal_trace *trace)
{
    fputs("DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\n\nSTATES\n",
          file);
    write_values(file, trace, "Idle");
    write_colours(file, trace->name_count);
    fprintf(file, "\nEVENT_TYPE\n0    %d    Process\nVALUES\n", PROCESS);
    write_values(file, trace, "End");
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        fprintf(file, "\nEVENT_TYPE\n0    %d    %s\n", numbers[i].type, numbers[i].name);
}

static void write_lane_names(FILE *file, const struct dal_trace *trace, const char *level)
{
    fprintf(file, "LEVEL %s SIZE %u\n", level, trace->lane_count);
    for (int i = 0; i < trace->row_count; i++)
        for (uint32_t lane = 0; lane < trace->rows[i].lane_count; lane++) {
            const struct dal_trace_view *row = &trace->rows[i];
            if (row->node)
                fprintf(file, "%s/", row->node);
            if (lane)
                fprintf(file, "(%u) ", lane + 1);
            write_line(file, row->name);
        }
}

static void write_lost(FILE *file, const struct dal_trace *trace)
{
    for (int i = 0; i < trace->row_count; i++)
        if (trace->rows[i].lost) {
            write_place(file, trace, &trace->rows[i], 2, 0);
            fprintf(file, "0:%d:%" PRIu64 "\n", LOST, trace->rows[i].lost);
        }
}

static int write_paraver(FILE **files, const struct dal_trace *trace)
{
    write_config(files[1], trace);
    write_lane_names(files[2], trace, "CPU");
    putc('\n', files[2]);
    write_lane_names(files[2], trace, "THREAD");
    write_header(files[0], trace);
    write_lost(files[0], trace);
    return write_records(files[0], trace);
}

const struct dal_trace_format dal__trace_paraver = {
    .endings = {".prv"}, .more = {".pcf", ".row"}, .write = write_paraver};
