/*
 * The file of times (DAL_TIMES), as JSON that dalsynth reads (spec/read/times.h):
 *
 *     {"dal-times": 2,
 *      "machine": {"cores": MODEL},
 *      "times": [
 *       {"process": NAME, "source": FILE, "type": TYPE, "on": "core" | IDENTIFIER,
 *        "key": HEX, "copies": S, "items": I, "firings": N, "together": M,
 *        "ns": {"mean": X, "p10": X, "median": X, "p99": X}}, ...]}
 *
 * One entry for each process that has fired; of one on several devices, for each of them. `ns` are
 * nanoseconds a firing: what an activation or a launch took, divided by its firings, each of which
 * counts. The first activation or launch (of each copy, on each device) does not count if there are
 * others, nor does the time that a KPN process waits for others. `firings` are those that count.
 * `together` is there where M processes are one launch: its time is the same for all of them.
 * `machine` is that of the first node.
 * TYPE is "c", "opencl" or "cuda".
 */
#ifndef DAL_RT_OBSERVE_TIMES_H
#define DAL_RT_OBSERVE_TIMES_H

#include "rt/observe/stats.h"

#include <stdio.h>

/* The type of an entry of this process: "c", "kpn", or that of its devices. */
const char *dal__times_type(const struct dal_process *process);

/* The entries of a network, with commas between; nothing without any. After all threads have been
 * joined. */
void dal__times_print(const struct dal_network *network, FILE *file);

/* The file, with the entries that the reports have. DAL_OK or a negative code, logged, with what
 * was there before. */
int dal__times_write(const char *name, const struct dal_stats_report *reports, int count);

#endif
