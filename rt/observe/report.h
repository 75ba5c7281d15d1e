/*
 * DAL_REPORT=FILE.html writes a page of the run, as one file that needs no other. It is dalview's
 * page, with the statistics of DAL_STATS=FILE and the newest events of DAL_TRACE. At the end it is
 * there whole, or not at all.
 *
 * The page is in libdal-page, which lies beside libdal and is loaded when wanted. A program of
 * several applications writes a page for each run of each. A program on several nodes writes one
 * for all.
 */
#ifndef DAL_RT_OBSERVE_REPORT_H
#define DAL_RT_OBSERVE_REPORT_H

#include "rt/observe/stats.h"

/* Checks before the run: the file is named as a page, it can be opened, and the page exists.
 * Returns DAL_OK or a negative code, logged; `label` is as in struct dal_network_options. */
int dal__report_check(const char *label);

/* Writes the page from the reports of all nodes. Returns DAL_OK or a negative code, logged. */
int dal__report_write(const struct dal_stats_report *reports, int count, const char *label);

#endif
