/*
 * DAL_REPORT=FILE.html: a page of the run, by itself in one file: dalview's, with the statistics of
 * DAL_STATS=FILE and the newest events of DAL_TRACE. It is there whole at the end, or not at all.
 *
 * The page is in libdal-page, which lies beside libdal and is loaded where it is wanted. A program
 * of several applications writes one for each run of each, one of several nodes one for all.
 */
#ifndef DAL_RT_OBSERVE_REPORT_H
#define DAL_RT_OBSERVE_REPORT_H

#include "rt/observe/stats.h"

/* Before the run: has the file a name of a page, can it be opened, and is the page there? DAL_OK or
 * a negative code, logged; `label` as in struct dal_network_options. */
int dal__report_check(const char *label);

/* From the reports of all nodes. DAL_OK or a negative code, logged. */
int dal__report_write(const struct dal_stats_report *reports, int count, const char *label);

#endif
