/*
 * A timeline of a run, for Perfetto or chrome://tracing.
 *
 *     DAL_TRACE=FILE           writes it at the end: a row a core with its activations, a row a
 *                              device with its launches (by the device's own clock), and rows of
 *                              its uploads, downloads and copies, where it has any. The format
 *                              goes by the name's ending (rt/trace/trace_file.h)
 *     DAL_TRACE_EVENTS=N       events kept a row, the newest (default 65536)
 *     DAL_TRACE_MB=N           no more of them than fit in so many megabytes a row (1e6 bytes)
 *     DAL_REPORT=FILE.html     keeps them as well (default 16384), for a page of the run
 *                              (rt/observe/page.c)
 *
 * In a program of several applications each run of one has its own file, FILE-APPLICATION-1.json.
 *
 * A network on several nodes has one file, in which each node is a process of the timeline. Times
 * are those of the first node's clock; "clock error ns" tells how far they may be wrong.
 *
 * One thread writes a row. Without these variables, a trace costs one test an activation.
 */
#pragma once

#include "include/net.h"

#include <stdio.h>

/* The sorts of a row's events. Uploads and downloads lead from the host to a device and back;
 * copies stay within it. */
enum dal_trace_sort { DAL_TRACE_FIRINGS, DAL_TRACE_UPLOADS, DAL_TRACE_DOWNLOADS, DAL_TRACE_COPIES };
enum { DAL_TRACE_SORTS = 4 };

struct dal_trace_event {
    int64_t begin_ns, end_ns; /* dal_now_ns() */
    const char *name;         /* of the process that fires, or the channel whose tokens are moved */
    union {
        uint64_t firings;
        uint64_t bytes; /* moved */
    };
    int64_t release_ns; /* the release that a periodic process waited for; 0 for others */
    int64_t through_ns; /* when this event ended that release; 0 if it did not */
    /* Tokens in packets of counted channels: read and written, and written; 0 without. */
    uint64_t tokens, made;
};

struct dal_trace_row {
    const char *name; /* of the processor */
    enum dal_trace_sort sort;
    struct dal_trace_event *events;
    uint64_t room, count;       /* count goes on when the room is used up: the oldest are lost */
    struct dal_trace_row *next; /* in the file; set when that is written */
};

/* A channel's fill at moments, in order. The moments are the same for all channels. */
struct dal_trace_level {
    const char *name; /* of the channel */
    const int64_t *at_ns;
    const uint32_t *tokens; /* at the first moment; those of the next are `stride` further on */
    size_t stride, count;
};

/* Is a trace wanted? Are events kept, for a trace or a page? */
int dal_trace_wanted(void);
int dal_trace_kept(void);

/* Returns the value of DAL_REPORT, or NULL. */
const char *dal_report_name(void);

/* Makes room for the events of a row. DAL_OK, or DAL_ERR_NOMEM, or DAL_ERR_INVALID for a wrong
 * DAL_TRACE_EVENTS or DAL_TRACE_MB, which alone is logged. Does nothing when no events are kept. */
int dal_trace_row_init(struct dal_trace_row *row, const char *name, enum dal_trace_sort sort);
void dal_trace_row_finish(struct dal_trace_row *row);

/* Adds an event. Does nothing on a row without room. The row's own thread. */
void dal_trace_add(struct dal_trace_row *row, struct dal_trace_event event);

/* Notes that event number `number`, from 0 on, ended a periodic process's release. Does nothing if
 * that event is lost. The row's own thread. */
void dal_trace_through(struct dal_trace_row *row, uint64_t number, int64_t through_ns);

/* Checks, before the run, that the file has a format and can be opened, if one is wanted. DAL_OK or
 * a negative code, logged. */
int dal_trace_check(const char *label);

/* The node of a part, and its time's beginning: the earliest event, or for one node of several a
 * moment that all share. */
struct dal_trace_origin {
    int number;       /* from 1 on */
    const char *node; /* NULL: the only one */
    int64_t begin_ns; /* dal_now_ns(), of a node */
};

/* Writes one node's part for dal_trace_write(): its channels' levels, and a list of rows, or NULL
 * for none. It sorts their events. After all threads have been joined. */
void dal_trace_write_part(FILE *file, struct dal_trace_row *rows,
                          const struct dal_trace_level *levels, int level_count,
                          const struct dal_trace_origin *origin);

/* A part, in which dal_trace_write() makes notes. */
struct dal_trace_part {
    char *bytes;
    size_t count;
};

/* Writes the file from its parts, with the run's label (or NULL) in its name. `about` has further
 * members of JSON for the file, or is NULL. DAL_OK or a negative code, logged. */
int dal_trace_write(const struct dal_trace_part *parts, int count, const char *label,
                    const char *about);

/* Writes the parts for a page, as one object of JSON (doc/explanation/observing.md, "Pictures"):
 * 400000 events at most, the newest of each row. DAL_OK or a negative code, logged. */
int dal_trace_timeline(FILE *file, const struct dal_trace_part *parts, int count);

/* Returns the name of a run's own file: "t.json" and "A-2" make "t-A-2.json"; without a label it
 * stays. The caller frees it. NULL, logged, when memory is exhausted. */
char *dal_trace_file(const char *name, const char *label);
