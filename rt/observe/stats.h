/*
 * What a run did, told at its end.
 *
 *     DAL_STATS=1         a table on standard error: firings, time in each process, tokens and
 *                         bytes of each channel, copied and not copied; latencies, and releases
 *                         of periodic processes
 *     DAL_STATS=FILE      the same and more as JSON (rt/observe/stats_file.h); a name with a point
 *                         or a slash in it
 *     DAL_TIMES=FILE      nanoseconds a firing, for dalsynth --times (rt/observe/times.h)
 *     DAL_REPORT=FILE     a page of the run (rt/observe/report.h)
 *
 * Unset, they cost one test an activation. In a program of several applications each run has its
 * own table and file. A network on several nodes has one of each, by its first rank.
 */
#ifndef DAL_RT_OBSERVE_STATS_H
#define DAL_RT_OBSERVE_STATS_H

#include "rt/network/network.h"

/* Is any of these, or a trace, wanted? */
int dal_stats_wanted(void);

/* An environment variable's value, NULL when it is unset, empty or 0. */
const char *dal_stats_setting(const char *name);

/* Is the table wanted, what stands in its file, the file of times? */
int dal_stats_table_wanted(void);
int dal_stats_file_wanted(void);
int dal_times_wanted(void);
/* Shall processes keep how long their firings take? */
int dal_spreads_wanted(void);

/* Before the run: can the files that are wanted of it be opened, trace and all? DAL_OK or a
 * negative code, logged. `label` as in struct dal_network_options. */
int dal_stats_check(const char *label);

enum { DAL_STATS_FILE = 10, DAL_STATS_TIMES = 19, DAL_STATS_TRACE, DAL_STATS_SECTIONS };

/* What one node tells, as texts: parts of the table, of its file, of the times; and its part of the
 * trace. Empty where they are not wanted. */
struct dal_stats_report {
    const char *network; /* name */
    int64_t wall_ns;
    char *texts[DAL_STATS_SECTIONS]; /* each with a zero behind it */
    size_t bytes[DAL_STATS_SECTIONS];
};

/* After all threads have been joined. DAL_OK or DAL_ERR_NOMEM, logged; it is finished either way.
 */
int dal_stats_make(const struct dal_network *network, struct dal_stats_report *report);
void dal_stats_finish(struct dal_stats_report *report);

/* The parts of a trace that the reports have; the caller frees the list. NULL without memory. */
struct dal_trace_part *dal__stats_trace_parts(const struct dal_stats_report *reports, int count);

/* Writes what is wanted, of one node or of all in order: the table under a heading, the files with
 * a label in their names (either may be NULL); `about` as in rt/trace/trace.h. DAL_OK or a
 * negative code, logged. */
int dal_stats_write(const struct dal_stats_report *reports, int count, const char *heading,
                    const char *label, const char *about);

#endif
