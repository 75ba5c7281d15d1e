/* Reads Chrome's trace events, and writes a time line. */
#include "spec/base/names.h"
#include "view/command/picture.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/json.h"
#include "spec/base/file.h"
#include "spec/read/json.h"
#include "spec/read/members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_BYTES = 1 << 28,
    MOST_READ = 1 << 21,  /* most events and counters of a file */
    MOST_KEPT = 400000,   /* most events of all rows in a page */
    MOST_ROWS = 10000,    /* most rows, and most channels */
    NAME_BYTES = 1 << 14, /* of anything */
};
#define MOST_NUMBER 1e15 /* for microseconds and any other number */

/* An event as the file has it. */
struct entry {
    char phase[8], name[NAME_BYTES], own_name[NAME_BYTES], moves[16];
    double process, thread, begin_us, length_us, firings, bytes, lost, tokens;
};

/* An event, or the fill of a channel at one time: then both times are the same. */
struct event {
    size_t row, name;
    double begin_ns, end_ns, amount; /* firings, bytes moved, or tokens */
};

/* A row of events; or a channel, whose events are its fill. */
struct row {
    double process;
    int is_channel;
    char *name;
    char moves[16]; /* direction of what moves bytes; else "" */
    double lost;
    size_t events;
};

struct reading {
    struct dal_json json;
    struct entry entry;
    struct dal_numbered names, row_keys, nodes;
    struct event *events;
    struct row *rows;
    size_t event_count, event_room, row_room, channel_count;
    double first_ns, last_ns;
    int status; /* DAL_ERR_NOMEM, or DAL_OK */
};

/* ---- rows --------------------------------------------------------------------------------------
 */

/* Finds the row of the entry. A row belongs to a process and a thread of the file, that of a
 * channel to a process and a name. */
static int find_row(struct reading *r, int is_channel, size_t *row)
{
    size_t before = r->row_keys.count, count = is_channel ? r->channel_count : before;
    char *key = is_channel ? dal_format("%.0f %s", r->entry.process, r->entry.name)
                           : dal_format("%.0f.%.0f", r->entry.process, r->entry.thread);
    int status = key ? dal_number_text(&r->row_keys, key, row) : DAL_ERR_NOMEM;
    dal_free(key);
    if (status || *row < before)
        return status;
    if (count - (is_channel ? 0 : r->channel_count) == MOST_ROWS)
        dal_json_refuse(&r->json, "more than %d %s", MOST_ROWS, is_channel ? "counters" : "rows");
    if (dal_grow(&r->rows, before, &r->row_room, sizeof(*r->rows)) < 0)
        return DAL_ERR_NOMEM;
    r->rows[*row] = (struct row){.process = r->entry.process, .is_channel = is_channel};
    r->channel_count += (size_t)is_channel;
    return DAL_OK;
}

/* ---- events -----------------------------------------------------------------------------------
 */

static int take_row_name(struct reading *r)
{
    size_t number = 0;
    int status = find_row(r, 0, &number);
    if (status)
        return status;
    dal_free(r->rows[number].name);
    r->rows[number].name = dal_strdup(r->entry.own_name);
    r->rows[number].lost = r->entry.lost;
    memcpy(r->rows[number].moves, r->entry.moves, sizeof(r->entry.moves));
    return r->rows[number].name ? DAL_OK : DAL_ERR_NOMEM;
}

/* Notes the name of a node, which is a process of the file. The text has its number in front of the
 * name. */
static int take_node_name(struct reading *r)
{
    char *text = dal_format("%.0f %s", r->entry.process, r->entry.own_name);
    size_t number;
    int status = text ? dal_number_text(&r->nodes, text, &number) : DAL_ERR_NOMEM;
    if (!status && r->nodes.count > MOST_ROWS)
        dal_json_refuse(&r->json, "more than %d processes", MOST_ROWS);
    dal_free(text);
    return status;
}

static int add_event(struct reading *r, int is_channel, struct event event)
{
    int status = find_row(r, is_channel, &event.row);
    if (!status)
        status = dal_number_text(&r->names, r->entry.name, &event.name);
    if (!status && dal_grow(&r->events, r->event_count, &r->event_room, sizeof(*r->events)) < 0)
        status = DAL_ERR_NOMEM;
    if (status)
        return status;
    if (r->event_count == 0 || event.begin_ns < r->first_ns)
        r->first_ns = event.begin_ns;
    if (event.end_ns > r->last_ns)
        r->last_ns = event.end_ns;
    r->rows[event.row].events++;
    r->events[r->event_count++] = event;
    return DAL_OK;
}

static int take_event(struct reading *r)
{
    const struct entry *entry = &r->entry;
    return add_event(r, 0,
                     (struct event){.begin_ns = 1e3 * entry->begin_us,
                                    .end_ns = 1e3 * (entry->begin_us + entry->length_us),
                                    .amount = entry->firings + entry->bytes});
}

static int take_counter(struct reading *r)
{
    double at_ns = 1e3 * r->entry.begin_us;
    return add_event(r, 1,
                     (struct event){.begin_ns = at_ns, .end_ns = at_ns, .amount = r->entry.tokens});
}

/* Functions for the phases of events ("ph"), and for the names that tell what an event is. Other
 * events are skipped. */
static const struct {
    const char *phase, *name;
    int (*take)(struct reading *r);
} phases[] = {
    {"X", NULL, take_event},
    {"C", NULL, take_counter},
    {"M", "thread_name", take_row_name},
    {"M", "process_name", take_node_name},
};

#define AT(field)     .offset = offsetof(struct entry, field)
#define TEXT(field)   AT(field), .room = sizeof(((struct entry *)0)->field)
#define NUMBER(field) AT(field), .least = 0, .most = MOST_NUMBER

static const struct dal_member argument_members[] = {{"name", TEXT(own_name)},
                                                     {"moves", TEXT(moves)},
                                                     {"firings", NUMBER(firings)},
                                                     {"bytes", NUMBER(bytes)},
                                                     {"lost", NUMBER(lost)},
                                                     {"tokens", NUMBER(tokens)},
                                                     {0}};
static const struct dal_member event_members[] = {{"ph", TEXT(phase), .must = 1},
                                                  {"name", TEXT(name), .must = 1},
                                                  {"pid", NUMBER(process)},
                                                  {"tid", NUMBER(thread)},
                                                  {"ts", NUMBER(begin_us)},
                                                  {"dur", NUMBER(length_us)},
                                                  {"args", .inside = argument_members},
                                                  {0}};

static void read_event(struct reading *r)
{
    struct entry *entry = &r->entry;
    entry->phase[0] = entry->name[0] = entry->own_name[0] = entry->moves[0] = '\0';
    entry->process = entry->thread = entry->begin_us = entry->length_us = 0;
    entry->firings = entry->bytes = entry->lost = entry->tokens = 0;
    dal__members_read(&r->json, event_members, entry, "an event");
    if (r->event_count == MOST_READ)
        dal_json_refuse(&r->json, "more than %d events: DAL_TRACE_EVENTS of a program keeps fewer",
                        MOST_READ);
    for (size_t i = 0; i < sizeof(phases) / sizeof(phases[0]) && !r->json.wrong; i++) {
        if (strcmp(phases[i].phase, entry->phase) != 0 ||
            (phases[i].name && strcmp(phases[i].name, entry->name) != 0))
            continue;
        r->status = phases[i].take(r);
        break;
    }
}

static void read_file(struct reading *r)
{
    struct dal_json *json = &r->json;
    char name[DAL_MEMBERS_MOST];
    int given = 0, count = 0, events = 0;
    dal_json_begin(json, '{', "the file");
    while (!r->status && dal_json_next(json, '{', &count)) {
        dal_json_name(json, name, sizeof(name));
        if (strcmp(name, "traceEvents") != 0) {
            dal_json_skip(json);
            continue;
        }
        if (given++)
            dal_json_refuse(json, "traceEvents is given twice");
        dal_json_begin(json, '[', "traceEvents");
        while (!r->status && dal_json_next(json, '[', &events))
            read_event(r);
    }
    if (!r->status && !given)
        dal_json_refuse(json, "traceEvents is missing: this is not what DAL_TRACE writes");
    dal_json_skip_space(json);
    if (!r->status && json->at != json->end)
        dal_json_refuse(json, "nothing may follow the object");
}

/* ---- the time line ----------------------------------------------------------------------------
 */

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

/* Orders events by row, then by begin, then the longest first. */
static int compare_events(const void *left, const void *right)
{
    const struct event *a = left, *b = right;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    return a->begin_ns != b->begin_ns ? compare_numbers(a->begin_ns, b->begin_ns)
                                      : compare_numbers(b->end_ns, a->end_ns);
}

static const char *node_of(const struct reading *r, double process)
{
    for (size_t i = 0; i < r->nodes.count; i++)
        if (strtod(r->nodes.texts[i], NULL) == process)
            return strchr(r->nodes.texts[i], ' ') + 1;
    return "";
}

/* Writes a row; `events` is its first. */
static void write_row(const struct reading *r, size_t number, const struct event *events,
                      FILE *json)
{
    const struct row *row = &r->rows[number];
    size_t most = MOST_KEPT / (r->row_keys.count - r->channel_count);
    size_t cut = row->events > most ? row->events - most : 0;
    dal_json_format(json, "{\"name\":%s,\"node\":%s,\"lost\":%.0f,\"moves\":%s,\"events\":[",
                    row->name ? row->name : r->row_keys.texts[number], node_of(r, row->process),
                    row->lost + (double)cut, row->moves);
    for (size_t i = cut; i < row->events; i++)
        fprintf(json, "%s%zu,%.0f,%.0f,%.0f", i > cut ? "," : "", events[i].name,
                events[i].begin_ns - r->first_ns, events[i].end_ns - events[i].begin_ns,
                events[i].amount);
    fputs("]}", json);
}

/* Writes the fill of a channel. */
static void write_channel(const struct reading *r, size_t number, const struct event *events,
                          FILE *json)
{
    const struct row *row = &r->rows[number];
    dal_json_format(json, "{\"channel\":%s,\"node\":%s,\"points\":[", r->names.texts[events->name],
                    node_of(r, row->process));
    for (size_t i = 0; i < row->events; i++)
        fprintf(json, "%s%.0f,%.0f", i ? "," : "", events[i].begin_ns - r->first_ns,
                events[i].amount);
    fputs("]}", json);
}

/* Writes all rows, or all channels. */
static void write_rows(const struct reading *r, int channels, FILE *json)
{
    const struct event *at = r->events;
    const char *comma = "\n";
    for (size_t i = 0; i < r->row_keys.count; at += r->rows[i++].events) {
        if (r->rows[i].is_channel != channels)
            continue;
        fputs(comma, json);
        (channels ? write_channel : write_row)(r, i, at, json);
        comma = ",\n";
    }
}

static void write_timeline(const struct reading *r, const char *file, FILE *json)
{
    if (r->event_count)
        qsort(r->events, r->event_count, sizeof(*r->events), compare_events);
    dal_json_format(json, "{\"file\":%s,\"span_ns\":%.0f,\"names\":[", file,
                    r->last_ns - r->first_ns);
    for (size_t i = 0; i < r->names.count; i++)
        dal_json_format(json, "%-s%s", i ? "," : "", r->names.texts[i]);
    fputs("],\"rows\":[", json);
    write_rows(r, 0, json);
    fputs("],\"levels\":[", json);
    write_rows(r, 1, json);
    fputs("]}", json);
}

/* ---- the file ---------------------------------------------------------------------------------
 */

static void finish_reading(struct reading *r)
{
    for (size_t i = 0; r->rows && i < r->row_keys.count && i < r->row_room; i++)
        dal_free(r->rows[i].name);
    dal_numbered_finish(&r->names);
    dal_numbered_finish(&r->row_keys);
    dal_numbered_finish(&r->nodes);
    dal_free(r->events);
    dal_free(r->rows);
    dal_free(r);
}

/* Returns whether a file has the name of another format of DAL_TRACE. */
static int is_other_format(const char *file)
{
    static const char *const endings[] = {".pftrace", ".perfetto-trace", ".prv", ".pcf", ".row"};
    return DAL_IS_ONE_OF(endings, strrchr(file, '.'));
}

/* Reads a file. Returns why it cannot be read at all, or NULL. */
static const char *read_bytes(const char *file, char **text, size_t *length, int *status)
{
    const char *why = NULL;
    *text = NULL;
    if (is_other_format(file))
        return "Perfetto's and Paraver's traces are not read: DAL_TRACE=FILE.json writes one that "
               "is";
    *status = dal_file_read(file, MOST_BYTES, text, length, &why);
    if (*status == DAL_ERR_LIMIT)
        return "more than 2^28 bytes: DAL_TRACE_EVENTS of a program keeps fewer events";
    return *status == DAL_ERR_IO ? why : NULL;
}

int dal_trace_read(struct dal_diags *diags, const char *file, FILE *json)
{
    size_t length = 0, errors = diags->errors;
    struct dal_spec_place place = {.file = dal_diag_file(diags, file)};
    struct reading *r;
    char *text;
    int status = DAL_OK;
    const char *why = read_bytes(file, &text, &length, &status);
    if (why) {
        dal_error(diags, place, "bad-trace", "%s", why);
        return DAL_ERR_INVALID;
    }
    r = status ? NULL : dal_calloc(1, sizeof(*r));
    if (r) {
        place.line = 1;
        r->json = (struct dal_json){
            .diags = diags, .code = "bad-trace", .place = place, .at = text, .end = text + length};
        read_file(r);
        status = r->status;
        if (!status && !r->json.wrong)
            write_timeline(r, file, json);
        finish_reading(r);
    } else if (!status)
        status = DAL_ERR_NOMEM;
    dal_free(text);
    return status ? status : diags->errors > errors ? DAL_ERR_INVALID : DAL_OK;
}
