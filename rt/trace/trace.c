#include "rt/trace/trace.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/number.h"
#include "rt/base/setting.h"
#include "rt/trace/trace_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 65536, PAGE_ROOM = 16384, MOST_ROOM = 100000000, MOST_MB = 4000 };

const char *dal__trace_name(void)
{
    return dal_setting_wanted("DAL_TRACE");
}

const char *dal_report_name(void)
{
    return dal_setting_wanted("DAL_REPORT");
}

int dal_trace_wanted(void)
{
    return dal__trace_name() != NULL;
}

int dal_trace_kept(void)
{
    return dal_trace_wanted() || dal_report_name() != NULL;
}

/* Sets *number to a variable's number, from 1 to `most`; without the variable it stays as it is.
 * DAL_OK or DAL_ERR_INVALID, logged. */
static int read_limit(const char *variable, uint64_t most, uint64_t *number)
{
    const char *text = dal_setting(variable);
    char *rest = NULL;
    uint64_t limit = text ? strtoull(text, &rest, 10) : 0;
    if (!text)
        return DAL_OK;
    if (rest == text || *rest || limit < 1 || limit > most) {
        dal_log(DAL_LOG_ERROR, "%s=%s: not a number from 1 to %" PRIu64, variable, text, most);
        return DAL_ERR_INVALID;
    }
    *number = limit;
    return DAL_OK;
}

/* Sets *room to the smaller of the limits in events and in bytes, or to the usual number without
 * either. */
static int find_room(uint64_t *room)
{
    uint64_t events = 0, megabytes = 0;
    if (read_limit("DAL_TRACE_EVENTS", MOST_ROOM, &events) < 0 ||
        read_limit("DAL_TRACE_MB", MOST_MB, &megabytes) < 0)
        return DAL_ERR_INVALID;
    *room = megabytes * 1000000 / sizeof(struct dal_trace_event);
    if (events && (!megabytes || events < *room))
        *room = events;
    if (!*room)
        *room = dal_trace_wanted() ? ROOM : PAGE_ROOM;
    return DAL_OK;
}

int dal_trace_row_init(struct dal_trace_row *row, const char *name, enum dal_trace_sort sort)
{
    uint64_t room;
    if (!dal_trace_kept())
        return DAL_OK;
    if (find_room(&room) < 0)
        return DAL_ERR_INVALID;
    *row = (struct dal_trace_row){.name = name, .sort = sort, .room = room};
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

void dal_trace_through(struct dal_trace_row *row, uint64_t number, int64_t through_ns)
{
    if (number < row->count && row->count - number <= row->room)
        row->events[number % row->room].through_ns = through_ns;
}

/* Returns the earliest moment kept, which becomes 0. */
static int64_t earliest(const struct dal_trace_row *row)
{
    int64_t first = INT64_MAX;
    for (; row; row = row->next) {
        uint64_t kept = row->count < row->room ? row->count : row->room;
        for (uint64_t k = 0; k < kept; k++)
            if (row->events[k].begin_ns < first)
                first = row->events[k].begin_ns;
    }
    return first;
}

/* Compares events by their beginnings; of two that begin together, the longer is first. */
static int compare_events(const void *left, const void *right)
{
    const struct dal_trace_event *a = left, *b = right;
    if (a->begin_ns != b->begin_ns)
        return a->begin_ns < b->begin_ns ? -1 : 1;
    return (a->end_ns < b->end_ns) - (a->end_ns > b->end_ns);
}

/* Sorts events. A process that waits in a firing lets others begin, so events may end in another
 * order than they began. Returns the place of the first. */
static uint64_t sort_events(struct dal_trace_row *row, uint64_t kept)
{
    uint64_t first = row->count > row->room ? row->count % row->room : 0;
    for (uint64_t k = 1; k < kept; k++)
        if (compare_events(&row->events[(first + k - 1) % row->room],
                           &row->events[(first + k) % row->room]) > 0) {
            qsort(row->events, kept, sizeof(*row->events), compare_events);
            return 0;
        }
    return first;
}

static void write_bytes(FILE *file, const void *bytes, size_t count)
{
    fwrite(bytes, 1, count, file);
}

static void write_text(FILE *file, const char *text)
{
    write_bytes(file, text, strlen(text) + 1);
}

/* Endings of a row's name, behind the processor's, by the sort of its events. */
static const char *const endings[DAL_TRACE_SORTS] = {
    [DAL_TRACE_FIRINGS] = "",
    [DAL_TRACE_UPLOADS] = " uploads",
    [DAL_TRACE_DOWNLOADS] = " downloads",
    [DAL_TRACE_COPIES] = " copies",
};

static struct dal_trace_record record_of(const struct dal_trace_row *row,
                                         const struct dal_trace_event *event, int64_t zero)
{
    struct dal_trace_record record = {.begin_ns = event->begin_ns - zero,
                                      .end_ns = event->end_ns - zero,
                                      .amount = event->firings,
                                      .tokens = event->tokens,
                                      .made = event->made,
                                      .late_ns = -1,
                                      .through_ns = -1};
    if (row->sort != DAL_TRACE_FIRINGS)
        record.amount = event->bytes;
    if (event->release_ns)
        record.late_ns = event->begin_ns - event->release_ns;
    if (event->release_ns && event->through_ns)
        record.through_ns = event->through_ns - event->release_ns;
    return record;
}

static void write_row(FILE *file, struct dal_trace_row *row, int64_t zero)
{
    uint64_t k, kept = dal_least(row->count, row->room), first = sort_events(row, kept);
    struct dal_trace_row_head head = {.count = kept, .lost = row->count - kept, .sort = row->sort};
    if (head.lost && dal_trace_wanted()) /* a page tells it itself */
        dal_log(DAL_LOG_WARNING, "trace: %" PRIu64 " events of %s%s lost (%s)", head.lost,
                row->name, endings[row->sort],
                dal_setting("DAL_TRACE_MB") ? "DAL_TRACE_MB, DAL_TRACE_EVENTS"
                                            : "DAL_TRACE_EVENTS");
    write_bytes(file, &head, sizeof(head));
    write_bytes(file, row->name, strlen(row->name));
    write_text(file, endings[row->sort]);
    for (k = 0; k < kept; k++) {
        const struct dal_trace_event *event = &row->events[(first + k) % row->room];
        struct dal_trace_record record = record_of(row, event, zero);
        write_bytes(file, &record, sizeof(record));
        write_text(file, event->name);
    }
}

/* Returns the next moment at which the level differs, or the last one. */
static size_t next_change(const struct dal_trace_level *level, size_t k)
{
    size_t last = k;
    for (k++; k + 1 < level->count; k++)
        if (level->tokens[k * level->stride] != level->tokens[last * level->stride])
            break;
    return k;
}

static void write_level(FILE *file, const struct dal_trace_level *level, int64_t zero)
{
    struct dal_trace_level_head head = {0};
    size_t first = 0;
    while (first + 1 < level->count && level->at_ns[first + 1] <= zero)
        first++;
    for (size_t k = first; k < level->count; k = next_change(level, k))
        head.count++;
    write_bytes(file, &head, sizeof(head));
    write_text(file, level->name);
    for (size_t k = first; k < level->count; k = next_change(level, k)) {
        struct dal_trace_point point = {.at_ns = level->at_ns[k] - zero,
                                        .tokens = level->tokens[k * level->stride]};
        if (point.at_ns < 0)
            point.at_ns = 0;
        write_bytes(file, &point, sizeof(point));
    }
}

void dal_trace_write_part(FILE *file, struct dal_trace_row *rows,
                          const struct dal_trace_level *levels, int level_count,
                          const struct dal_trace_origin *origin)
{
    struct dal_trace_part_head head = {.number = origin->number,
                                       .has_node = origin->node != NULL,
                                       .level_count = (uint32_t)level_count};
    int64_t zero = origin->node ? origin->begin_ns : earliest(rows);
    const struct dal_trace_row *row;
    for (row = rows; row; row = row->next)
        head.row_count++;
    write_bytes(file, &head, sizeof(head));
    write_text(file, origin->node ? origin->node : "");
    for (; rows; rows = rows->next)
        write_row(file, rows, zero);
    for (int i = 0; i < level_count; i++)
        write_level(file, &levels[i], zero);
}
