/*
 * The file of a trace: the parts of all nodes, read into a table of rows, and the formats that it
 * is written in. The ending of the file's name chooses one; a name without an ending is Chrome's.
 *
 *     .json                        Chrome's trace events (chrome.c)
 *     .pftrace, .perfetto-trace    Perfetto's protocol buffers (perfetto.c)
 *     .prv                         Paraver's, with names in .pcf and .row beside it (paraver.c)
 *
 * The files of a format are written whole or not at all.
 */
#pragma once

#include "rt/trace/trace.h"

/* ---- a part ------------------------------------------------------------------------------------
 * It has a head and the node's name; then each row's head and name, with each event's record and
 * name. Each channel's head, name and points follow. Each name ends with a zero. All ranks run one
 * binary, so the layout is that of memory, without alignment.
 */

struct dal_trace_part_head {
    int32_t number; /* as in struct dal_trace_origin */
    uint32_t has_node, row_count, level_count;
};

struct dal_trace_row_head {
    uint64_t count, lost; /* events that follow; older ones that do not */
    uint64_t sort;        /* enum dal_trace_sort */
};

struct dal_trace_record {
    int64_t begin_ns, end_ns; /* from the trace's beginning on */
    uint64_t amount;          /* firings, or bytes moved */
    uint64_t tokens, made;
    int64_t late_ns, through_ns; /* from the release to its beginning, and to the end; or -1 */
    uint32_t name, lane; /* notes of the first rank: the name's number; the lane, see below */
};

struct dal_trace_level_head {
    uint64_t count; /* points that follow */
};

struct dal_trace_point {
    int64_t at_ns; /* from the trace's beginning on */
    uint64_t tokens;
};

/* ---- what the formats are given -------------------------------------------------------------- */

/* A row. Events of it that overlap are in different lanes: in one lane, each begins after the last
 * has ended.
 */
struct dal_trace_view {
    const char *name, *node; /* node: NULL for the only one */
    int process;             /* of the timeline, from 1 on */
    enum dal_trace_sort sort;
    uint64_t count, lost;
    uint32_t first_lane, lane_count; /* lanes are numbered across all rows */
    const char *records;
};

/* The tokens in a channel over time. */
struct dal_trace_level_view {
    const char *name, *node;
    int process;
    uint64_t count;
    const char *points;
};

struct dal_trace {
    struct dal_trace_view *rows;
    struct dal_trace_level_view *levels;
    int row_count, level_count, process_count;
    const char **names; /* of events, each once */
    uint32_t name_count, lane_count;
    int64_t begin_ns, end_ns; /* earliest and latest time, and 0 */
    const char *about;        /* as in dal_trace_write() */
};

/* Reads the record at `at`, with times from the earliest on. Returns the place of the next. */
const char *dal__trace_read(const struct dal_trace *trace, const char *at,
                            struct dal_trace_record *record);

/* Reads a channel's point at `at` in the same way. Returns the place of the next. */
const char *dal__trace_read_point(const struct dal_trace *trace, const char *at,
                                  struct dal_trace_point *point);

enum { DAL_TRACE_FILES = 3 };

/* A format. write() returns DAL_OK or DAL_ERR_NOMEM, logged; errors of the files are seen later. */
struct dal_trace_format {
    const char *endings[2];            /* of the name */
    const char *more[DAL_TRACE_FILES]; /* of the files beside it */
    int (*write)(FILE **files, const struct dal_trace *trace);
};

/* Returns "upload", "download" or "copy" for a row whose events move tokens; NULL for firings. */
const char *dal__trace_moves(const struct dal_trace_view *row);

/* Returns the bytes moved a second; 0 where it took no time. */
uint64_t dal__trace_speed(const struct dal_trace_record *record);

/* Prints the trace for a page (timeline.c). Errors are those of the stream. */
void dal__trace_print_timeline(FILE *file, const struct dal_trace *trace);

extern const struct dal_trace_format dal__trace_chrome, dal__trace_perfetto, dal__trace_paraver;

/* Returns the value of DAL_TRACE, or NULL. */
const char *dal__trace_name(void);
