/*
 * What a run did, told at its end.
 *
 *     DAL_STATS=1         a table on standard error: firings, time in each process, tokens and
 *                         bytes of each channel, copied and not copied
 *     DAL_TIMES=FILE      {"PROCESS": nanoseconds a firing, ...}, for dalsynth --times
 *
 * Unset, they cost one test an activation. In a program of several applications each run has its
 * own table and file.
 */
#ifndef DAL_RT_NETWORK_STATS_H
#define DAL_RT_NETWORK_STATS_H

#include "rt/network/network.h"

/* Is any of these, or a trace, wanted? Then activations and launches are timed. */
int dal_stats_wanted(void);

/* Is the table wanted? */
int dal_stats_table_wanted(void);

/* Before the run: can the files that are wanted of it be opened, trace and all? DAL_OK or a
 * negative code, logged. `label` as in struct dal_network_options. */
int dal_stats_check(const char *label);

/* After all threads have been joined; `wall_ns` is how long the network ran. DAL_OK or a negative
 * code, logged. */
int dal_stats_report(const struct dal_network *network, int64_t wall_ns);

#endif
