/*
 * Reports a run at its end.
 *
 *     DAL_STATS=1         a table on standard error: firings, time in each process, tokens and
 *                         bytes of each channel, copied and not copied; latencies, and releases
 *                         of periodic processes
 *     DAL_STATS=FILE      the same and more as JSON (rt/observe/stats_file.h); the name has a
 *                         point or a slash in it
 *     DAL_TIMES=FILE      nanoseconds a firing, for dalsynth --times (rt/observe/times.h)
 *     DAL_TRACE=FILE      a timeline (rt/trace/trace.h)
 *     DAL_REPORT=FILE     a page of the run (rt/observe/page.c)
 *
 * If none is set, they cost one test an activation. In a program of several applications each run
 * has its own table and file. On several nodes the first rank writes one of each for all.
 */
#pragma once

#include "rt/model/network.h"
#include "rt/observe/reports.h"

extern const struct dal_observer dal_observe_table, dal_observe_stats, dal_observe_times,
    dal_observe_trace, dal_observe_page, dal_observe_levels;

extern const struct dal_section dal__table_sections[DAL_STATS_FILE],
    dal__file_sections[DAL_STATS_TIMES - DAL_STATS_FILE], dal__times_section, dal__trace_section;

/* Returns whether a table on standard error is wanted. */
int dal_stats_table_wanted(void);

/* Makes a report, after all threads have been joined. Returns DAL_OK or DAL_ERR_NOMEM, logged; the
 * caller finishes it either way. */
int dal_stats_make(const struct dal_network *network, struct dal_stats_report *report);
void dal_stats_finish(struct dal_stats_report *report);

/* Returns the name of DAL_STATS' file, or NULL: DAL_STATS=1 and the like are no names. */
const char *dal__stats_name(void);

/* Returns the parts of a trace in the reports, or NULL without memory. The caller frees the
 * list. */
struct dal_trace_part *dal__trace_parts(const struct dal_reports *all);
