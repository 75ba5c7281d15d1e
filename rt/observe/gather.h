/*
 * The reports of a run (rt/observe/stats.h) become one table and one file each. On several nodes
 * every rank sends its texts to the first one, which writes them. After an error each rank writes
 * its own.
 */
#pragma once

#include "rt/model/network.h"

/* Checks before the run that the files that this rank may write can be written. Returns DAL_OK or a
 * negative code, logged. `label` is as in struct dal_network_options. */
int dal_reports_check(const struct dal_nodes *nodes, const char *label);

/* Makes the report if it is wanted, gathers those of all ranks, and lets the observers write.
 * Returns DAL_OK or a negative code, logged. A rank without memory for its report says so itself.
 * The first one names it and writes nothing. */
int dal_reports_write(const struct dal_network *network);
