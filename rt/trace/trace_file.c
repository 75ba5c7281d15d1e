#include "rt/trace/trace_file.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/output.h"

#include <string.h>

/* ---- parts become rows ----------------------------------------------------------------------- */

/* Names in an open hash table, by number + 1; 0: free. `room` is a power of two. */
struct names {
    const char **texts;
    uint32_t *table;
    size_t count, texts_room, room;
};

struct lanes {
    int64_t *ends_ns;
    size_t count, room;
};

static uint32_t hash_name(const char *text) /* FNV-1a */
{
    uint32_t hash = 2166136261u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

static uint32_t *find_name(const struct names *names, const char *text)
{
    size_t at = hash_name(text) & (names->room - 1);
    while (names->table[at] && strcmp(names->texts[names->table[at] - 1], text) != 0)
        at = (at + 1) & (names->room - 1);
    return &names->table[at];
}

static int widen_names(struct names *names)
{
    struct names wider = *names;
    wider.room = names->room ? 2 * names->room : 64;
    wider.table = dal_calloc(wider.room, sizeof(*wider.table));
    if (!wider.table)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < names->count; i++)
        *find_name(&wider, names->texts[i]) = (uint32_t)i + 1;
    dal_free(names->table);
    *names = wider;
    return DAL_OK;
}

static int number_name(struct names *names, const char *text, uint32_t *number)
{
    uint32_t *found;
    if (2 * names->count >= names->room && widen_names(names) != DAL_OK)
        return DAL_ERR_NOMEM;
    found = find_name(names, text);
    if (!*found) {
        if (dal_grow(&names->texts, names->count, &names->texts_room, sizeof(*names->texts)) < 0)
            return DAL_ERR_NOMEM;
        names->texts[names->count++] = text;
        *found = (uint32_t)names->count;
    }
    *number = *found - 1;
    return DAL_OK;
}

/* Returns the first lane that is free when the event begins. */
static int choose_lane(struct lanes *lanes, struct dal_trace_record *record)
{
    size_t i = 0;
    while (i < lanes->count && lanes->ends_ns[i] > record->begin_ns)
        i++;
    if (i == lanes->count) {
        if (dal_grow(&lanes->ends_ns, lanes->count, &lanes->room, sizeof(*lanes->ends_ns)) < 0)
            return DAL_ERR_NOMEM;
        lanes->count++;
    }
    lanes->ends_ns[i] = record->end_ns;
    record->lane = (uint32_t)i;
    return DAL_OK;
}

/* A part that is read in order. */
struct reader {
    char *at;
    size_t left;
};

static int take_bytes(struct reader *reader, void *to, size_t count)
{
    if (reader->left < count)
        return DAL_ERR_INVALID;
    memcpy(to, reader->at, count);
    reader->at += count;
    reader->left -= count;
    return DAL_OK;
}

static const char *take_text(struct reader *reader)
{
    const char *text = reader->at;
    size_t bytes = strnlen(text, reader->left) + 1;
    if (bytes > reader->left)
        return NULL;
    reader->at += bytes;
    reader->left -= bytes;
    return text;
}

static int take_event(struct reader *reader, struct names *names, struct lanes *lanes,
                      struct dal_trace *trace)
{
    struct dal_trace_record record;
    char *at = reader->at;
    const char *name;
    int status = take_bytes(reader, &record, sizeof(record));
    if (status < 0 || !(name = take_text(reader)))
        return DAL_ERR_INVALID;
    status = number_name(names, name, &record.name);
    if (status == DAL_OK)
        status = choose_lane(lanes, &record);
    trace->begin_ns = record.begin_ns < trace->begin_ns ? record.begin_ns : trace->begin_ns;
    trace->end_ns = record.end_ns > trace->end_ns ? record.end_ns : trace->end_ns;
    memcpy(at, &record, sizeof(record));
    return status;
}

static int take_row(struct reader *reader, struct names *names, struct dal_trace *trace,
                    struct dal_trace_view *row)
{
    struct dal_trace_row_head head;
    struct lanes lanes = {0};
    int status = take_bytes(reader, &head, sizeof(head));
    if (status < 0 || !(row->name = take_text(reader)) || head.sort >= DAL_TRACE_SORTS)
        return DAL_ERR_INVALID;
    row->count = head.count;
    row->lost = head.lost;
    row->sort = (enum dal_trace_sort)head.sort;
    row->first_lane = trace->lane_count;
    row->records = reader->at;
    for (uint64_t k = 0; status == DAL_OK && k < head.count; k++)
        status = take_event(reader, names, &lanes, trace);
    row->lane_count = lanes.count ? (uint32_t)lanes.count : 1;
    trace->lane_count += row->lane_count;
    dal_free(lanes.ends_ns);
    return status;
}

static int take_level(struct reader *reader, struct dal_trace_level_view *level)
{
    struct dal_trace_level_head head;
    int status = take_bytes(reader, &head, sizeof(head));
    if (status < 0 || !(level->name = take_text(reader)) ||
        head.count > reader->left / sizeof(struct dal_trace_point))
        return DAL_ERR_INVALID;
    level->count = head.count;
    level->points = reader->at;
    reader->at += head.count * sizeof(struct dal_trace_point);
    reader->left -= head.count * sizeof(struct dal_trace_point);
    return DAL_OK;
}

/* Room in the arrays of rows and levels. */
struct room {
    size_t rows, levels;
};

static int take_part(struct reader reader, struct names *names, struct dal_trace *trace,
                     struct room *room)
{
    struct dal_trace_part_head head;
    const char *node;
    int status = take_bytes(&reader, &head, sizeof(head));
    if (status < 0 || !(node = take_text(&reader)))
        return DAL_ERR_INVALID;
    if (head.number > trace->process_count)
        trace->process_count = head.number;
    for (uint32_t i = 0; status == DAL_OK && i < head.row_count; i++) {
        if (dal_grow(&trace->rows, (size_t)trace->row_count, &room->rows, sizeof(*trace->rows)) < 0)
            return DAL_ERR_NOMEM;
        trace->rows[trace->row_count] =
            (struct dal_trace_view){.process = head.number, .node = head.has_node ? node : NULL};
        status = take_row(&reader, names, trace, &trace->rows[trace->row_count++]);
    }
    for (uint32_t i = 0; status == DAL_OK && i < head.level_count; i++) {
        if (dal_grow(&trace->levels, (size_t)trace->level_count, &room->levels,
                     sizeof(*trace->levels)) < 0)
            return DAL_ERR_NOMEM;
        trace->levels[trace->level_count] = (struct dal_trace_level_view){
            .process = head.number, .node = head.has_node ? node : NULL};
        status = take_level(&reader, &trace->levels[trace->level_count++]);
    }
    return status;
}

static void finish_trace(struct dal_trace *trace)
{
    dal_free(trace->rows);
    dal_free(trace->levels);
    dal_free(trace->names);
}

static int read_parts(struct dal_trace *trace, const struct dal_trace_part *parts, int count)
{
    struct names names = {0};
    struct room room = {0};
    int status = DAL_OK;
    for (int i = 0; status == DAL_OK && i < count; i++)
        if (parts[i].count) /* a node may have left its part out */
            status =
                take_part((struct reader){parts[i].bytes, parts[i].count}, &names, trace, &room);
    dal_free(names.table);
    trace->names = names.texts;
    trace->name_count = (uint32_t)names.count;
    if (status < 0)
        dal_log(DAL_LOG_ERROR, "trace: %s", dal_strerror(status));
    return status;
}

const char *dal__trace_read(const struct dal_trace *trace, const char *at,
                            struct dal_trace_record *record)
{
    memcpy(record, at, sizeof(*record));
    record->begin_ns -= trace->begin_ns;
    record->end_ns -= trace->begin_ns;
    at += sizeof(*record);
    return at + strlen(at) + 1;
}

const char *dal__trace_read_point(const struct dal_trace *trace, const char *at,
                                  struct dal_trace_point *point)
{
    memcpy(point, at, sizeof(*point));
    point->at_ns -= trace->begin_ns;
    return at + sizeof(*point);
}

const char *dal__trace_moves(const struct dal_trace_view *row)
{
    static const char *const moves[DAL_TRACE_SORTS] = {[DAL_TRACE_UPLOADS] = "upload",
                                                       [DAL_TRACE_DOWNLOADS] = "download",
                                                       [DAL_TRACE_COPIES] = "copy"};
    return moves[row->sort];
}

uint64_t dal__trace_speed(const struct dal_trace_record *record)
{
    double ns = (double)(record->end_ns - record->begin_ns);
    return ns > 0 ? (uint64_t)(1e9 * (double)record->amount / ns) : 0;
}

int dal_trace_timeline(FILE *file, const struct dal_trace_part *parts, int count)
{
    struct dal_trace trace = {0};
    int status = read_parts(&trace, parts, count);
    if (status == DAL_OK)
        dal__trace_print_timeline(file, &trace);
    finish_trace(&trace);
    return status;
}

/* ---- files ----------------------------------------------------------------------------------- */

static const struct dal_trace_format *const formats[] = {&dal__trace_chrome, &dal__trace_perfetto,
                                                         &dal__trace_paraver};

/* Returns where a name's ending begins: at its last point, or at its end. */
static const char *find_ending(const char *name)
{
    const char *base = strrchr(name, '/'), *end = strrchr(base ? base : name, '.');
    return end && end != (base ? base + 1 : name) ? end : name + strlen(name);
}

char *dal_trace_file(const char *name, const char *label)
{
    const char *end = find_ending(name);
    char *file =
        label ? dal_format("%.*s-%s%s", (int)(end - name), name, label, end) : dal_strdup(name);
    if (!file)
        dal_log(DAL_LOG_ERROR, "%s: %s", name, dal_strerror(DAL_ERR_NOMEM));
    return file;
}

/* Returns the format of a name, or NULL, not logged. */
static const struct dal_trace_format *find_format(const char *name)
{
    const char *ending = find_ending(name);
    if (!*ending)
        return &dal__trace_chrome;
    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
        for (size_t k = 0; k < 2; k++)
            if (formats[i]->endings[k] && strcmp(ending, formats[i]->endings[k]) == 0)
                return formats[i];
    return NULL;
}

/* The open files of a trace: the named one, and those beside it. */
struct files {
    char *names[DAL_TRACE_FILES];
    struct dal_output outputs[DAL_TRACE_FILES];
    int count, open;
};

static void free_names(struct files *files)
{
    for (int i = 0; i < DAL_TRACE_FILES; i++)
        dal_free(files->names[i]);
}

/* Gives `files` their names: DAL_OK or DAL_ERR_NOMEM, logged. */
static int name_files(struct files *files, const struct dal_trace_format *format, const char *label)
{
    char *name = dal_trace_file(dal__trace_name(), label), *more;
    *files = (struct files){.count = 1};
    files->names[0] = name;
    for (int i = 0; name && format->more[i]; i++) {
        more = dal_format("%.*s%s", (int)(find_ending(name) - name), name, format->more[i]);
        if (!more) {
            dal_log(DAL_LOG_ERROR, "%s: %s", name, dal_strerror(DAL_ERR_NOMEM));
            return DAL_ERR_NOMEM;
        }
        files->names[files->count++] = more;
    }
    return name ? DAL_OK : DAL_ERR_NOMEM;
}

int dal_trace_check(const char *label)
{
    const char *name = dal__trace_name();
    const struct dal_trace_format *format = name ? find_format(name) : NULL;
    struct files files;
    int status;
    if (!name)
        return DAL_OK;
    if (!format) {
        dal_log(DAL_LOG_ERROR,
                "DAL_TRACE=%s: ends in none of .json, .pftrace, .perfetto-trace and .prv", name);
        return DAL_ERR_INVALID;
    }
    status = name_files(&files, format, label);
    for (int i = 0; status == DAL_OK && i < files.count; i++)
        status = dal_output_check("DAL_TRACE=", files.names[i]);
    free_names(&files);
    return status;
}

static int open_files(struct files *files)
{
    int status = DAL_OK;
    while (status == DAL_OK && files->open < files->count) {
        status =
            dal_output_open(&files->outputs[files->open], "DAL_TRACE=", files->names[files->open]);
        files->open += status == DAL_OK;
    }
    return status;
}

/* Puts all files into their places, the named one last; or none of them when one could not be
 * written. */
static int close_files(struct files *files, int status)
{
    int bad = -1;
    for (int i = 0; status == DAL_OK && bad < 0 && i < files->open; i++)
        if (dal_output_flushed(&files->outputs[i]) < 0)
            bad = i;
    for (int i = files->open; i-- > 0;)
        if (status == DAL_OK && (bad < 0 || i == bad))
            status = dal_output_close(&files->outputs[i]);
        else
            dal_output_abandon(&files->outputs[i]);
    return status;
}

static int write_files(const struct dal_trace_format *format, const char *label,
                       const struct dal_trace *trace)
{
    FILE *streams[DAL_TRACE_FILES];
    struct files files;
    int i, status = name_files(&files, format, label);
    if (status == DAL_OK)
        status = open_files(&files);
    for (i = 0; i < files.open; i++)
        streams[i] = files.outputs[i].file;
    if (status == DAL_OK)
        status = format->write(streams, trace);
    status = close_files(&files, status);
    free_names(&files);
    return status;
}

int dal_trace_write(const struct dal_trace_part *parts, int count, const char *label,
                    const char *about)
{
    const struct dal_trace_format *format = find_format(dal__trace_name());
    struct dal_trace trace = {.about = about};
    int status = format ? read_parts(&trace, parts, count) : DAL_ERR_INVALID;
    if (status == DAL_OK)
        status = write_files(format, label, &trace);
    finish_trace(&trace);
    return status;
}
