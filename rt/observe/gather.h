/*
 * The reports of all ranks of a network become one table and one file each. Every rank sends its
 * texts (rt/observe/stats.h) to the first one, which writes them.
 */
#ifndef DAL_RT_OBSERVE_GATHER_H
#define DAL_RT_OBSERVE_GATHER_H

#include "rt/observe/stats.h"

/* Makes room, before the run and in all ranks, for the reports that the first one will receive. At
 * the end, where the others wait for it, it needs no memory for that. Returns DAL_OK or
 * DAL_ERR_NOMEM, logged. */
int dal__reports_prepare(struct dal_network *network);

/* Gathers the reports, in all ranks, if dal_nodes_gathers() says so; `status` is the result of
 * making the report. Returns DAL_OK or a negative code, logged. A rank without memory for its
 * report says so itself. The first one names it and writes nothing. */
int dal__reports_gather(const struct dal_network *network, struct dal_stats_report *report,
                        int status);

#endif
