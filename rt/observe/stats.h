/*
 * Reports a run at its end.
 *
 *     DAL_STATS=1         a table on standard error: firings, time in each process, tokens and
 *                         bytes of each channel, copied and not copied; latencies, and releases
 *                         of periodic processes
 *     DAL_STATS=FILE      the same and more as JSON (rt/observe/stats_file.h); the name has a
 *                         point or a slash in it
 *     DAL_TIMES=FILE      nanoseconds a firing, for dalsynth --times (rt/observe/times.h)
 *     DAL_REPORT=FILE     a page of the run (rt/observe/report.h)
 *
 * If none is set, they cost one test an activation. In a program of several applications each run
 * has its own table and file. On several nodes the first rank writes one of each for all.
 */
#ifndef DAL_RT_OBSERVE_STATS_H
#define DAL_RT_OBSERVE_STATS_H

#include "rt/model/network.h"

/* Returns whether any of these, or a trace, is wanted. */
int dal_stats_wanted(void);

/* Return whether the table, the contents of its file, or the file of times is wanted. */
int dal_stats_table_wanted(void);
int dal_stats_file_wanted(void);
int dal_times_wanted(void);
/* Returns whether processes keep the times of their firings. */
int dal_spreads_wanted(void);

/* Checks before the run that all wanted files can be opened, the trace's too. Returns DAL_OK or a
 * negative code, logged; `label` is as in struct dal_network_options. */
int dal_stats_check(const char *label);

enum { DAL_STATS_FILE = 10, DAL_STATS_TIMES = 19, DAL_STATS_TRACE, DAL_STATS_SECTIONS };

/* The report of one node as texts: parts of the table, of its file and of the times, and its part
 * of the trace. Texts that are not wanted are empty. */
struct dal_stats_report {
    const char *network; /* name */
    int64_t wall_ns;
    char *texts[DAL_STATS_SECTIONS]; /* each ends with a zero */
    size_t bytes[DAL_STATS_SECTIONS];
};

/* Makes a report, after all threads have been joined. Returns DAL_OK or DAL_ERR_NOMEM, logged; the
 * caller finishes it either way. */
int dal_stats_make(const struct dal_network *network, struct dal_stats_report *report);
void dal_stats_finish(struct dal_stats_report *report);

/* Returns the parts of a trace in the reports, or NULL without memory. The caller frees the
 * list. */
struct dal_trace_part *dal__stats_trace_parts(const struct dal_stats_report *reports, int count);

/* Writes what is wanted, from the report of one node, or of all in order. The table gets a heading,
 * and the files' names a label; either may be NULL. `about` is as in rt/trace/trace.h. Returns
 * DAL_OK or a negative code, logged. */
int dal_stats_write(const struct dal_stats_report *reports, int count, const char *heading,
                    const char *label, const char *about);

#endif
