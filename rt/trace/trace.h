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
 *                              (rt/observe/report.h)
 *
 * In a program of several applications each run of one has its own file, FILE-APPLICATION-1.json.
 *
 * Of a network on several nodes there is one file, in which each node is a process of the timeline;
 * times are those of the first node's clock. How far they may be wrong is in "clock error ns".
 *
 * A row is written by one thread. Unset, it costs one test an activation.
 */
#ifndef DAL_RT_TRACE_TRACE_H
#define DAL_RT_TRACE_TRACE_H

#include "include/net.h"

#include <stdio.h>

/* What the events of a row are. Uploads and downloads lead from the host to a device and back;
 * copies are within it. */
enum dal_trace_sort { DAL_TRACE_FIRINGS, DAL_TRACE_UPLOADS, DAL_TRACE_DOWNLOADS, DAL_TRACE_COPIES };
enum { DAL_TRACE_SORTS = 4 };

struct dal_trace_event {
    int64_t begin_ns, end_ns; /* dal_now_ns() */
    const char *name;         /* of what fires, or of the channel whose tokens are moved */
    union {
        uint64_t firings;
        uint64_t bytes; /* of what is moved */
    };
    int64_t release_ns; /* of a periodic process, what it waited for; 0 of others */
    int64_t through_ns; /* when that was through, if it was by this event; else 0 */
    /* In packets of counted channels: read and written, and those written; 0 of none. */
    uint64_t tokens, made;
};

struct dal_trace_row {
    const char *name; /* of the processor */
    enum dal_trace_sort sort;
    struct dal_trace_event *events;
    uint64_t room, count;       /* count goes on when the room is used up: the oldest are lost */
    struct dal_trace_row *next; /* in the file; set when that is written */
};

/* What a channel held at moments, in order; all channels were looked at at the same ones. */
struct dal_trace_level {
    const char *name; /* of the channel */
    const int64_t *at_ns;
    const uint32_t *tokens; /* of the first moment; those of the next are `stride` further on */
    size_t stride, count;
};

/* Is a trace wanted? Are events kept, for a trace or for a page? */
int dal_trace_wanted(void);
int dal_trace_kept(void);

/* DAL_REPORT, or NULL. */
const char *dal_report_name(void);

/* Makes room for the events of a row. DAL_OK, or DAL_ERR_NOMEM, or DAL_ERR_INVALID for a wrong
 * DAL_TRACE_EVENTS or DAL_TRACE_MB, which alone is logged. Does nothing when no events are kept. */
int dal_trace_row_init(struct dal_trace_row *row, const char *name, enum dal_trace_sort sort);
void dal_trace_row_finish(struct dal_trace_row *row);

/* The row's own thread; does nothing on a row without room. */
void dal_trace_add(struct dal_trace_row *row, struct dal_trace_event event);

/* The event that was added as number `number`, from 0 on, ended a periodic process's release. The
 * row's own thread; does nothing where the event is lost. */
void dal_trace_through(struct dal_trace_row *row, uint64_t number, int64_t through_ns);

/* Has the file, if one is wanted, a format, and can it be opened? Before the run. DAL_OK or a
 * negative code, logged. */
int dal_trace_check(const char *label);

/* Whose rows they are, and when its time begins: at the earliest event, or, of one node of several,
 * at a moment that all have in common. */
struct dal_trace_origin {
    int number;       /* from 1 on */
    const char *node; /* NULL: the only one */
    int64_t begin_ns; /* dal_now_ns(), of a node */
};

/* Writes what one node has to tell, for dal_trace_write(): its channels' levels, and a list of
 * rows, whose events it sorts, or NULL for none. After all threads have been joined. */
void dal_trace_write_part(FILE *file, struct dal_trace_row *rows,
                          const struct dal_trace_level *levels, int level_count,
                          const struct dal_trace_origin *origin);

/* Such a part, which dal_trace_write() makes notes in. */
struct dal_trace_part {
    char *bytes;
    size_t count;
};

/* Writes the file, with the run's label (or NULL) in its name, from its parts; `about` is more that
 * the file tells, members of JSON's, or NULL. DAL_OK or a negative code, logged. */
int dal_trace_write(const struct dal_trace_part *parts, int count, const char *label,
                    const char *about);

/* The same for a page, as one object of JSON (doc/inside.md, "Pictures"): 400000 events at most,
 * the newest of each row. DAL_OK or a negative code, logged. */
int dal_trace_timeline(FILE *file, const struct dal_trace_part *parts, int count);

/* The name of a run's own file: "t.json" and "A-2" make "t-A-2.json", no label leaves it. NULL,
 * which is logged, when memory is exhausted; the caller frees it. */
char *dal_trace_file(const char *name, const char *label);

#endif
