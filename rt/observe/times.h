/*
 * The file of times (DAL_TIMES), as JSON that dalsynth reads (spec/read/times.h):
 *
 *     {"dal-times": 2,
 *      "machine": {"cores": MODEL},
 *      "times": [
 *       {"process": NAME, "source": FILE, "type": TYPE, "on": "core" | IDENTIFIER,
 *        "key": HEX, "copies": S, "items": I, "firings": N, "together": M,
 *        "ns": {"mean": X, "p10": X, "median": X, "p99": X}, "curve": [L, F, T, ...]}, ...]}
 *
 * Each process that has fired has one entry, or one for each of its devices. `ns` are nanoseconds a
 * firing: the time of an activation or a launch divided by its firings, each of which counts. The
 * first activation or launch (of each copy, on each device) does not count if there are others. The
 * time that a KPN process waits for others does not count either. `firings` are those that count.
 * `together` is there if M processes are one launch: its time is the same for all of them.
 * `curve` is there on devices: L launches of about one size had F firings, and took T ns in all.
 * Sizes ascend (rt/device/curve.h). The first launch is in none. Launches that only tried a size
 * are in `curve` alone.
 * `machine` is the first node's. TYPE is "c", "opencl" or "cuda".
 */
#pragma once

#include "rt/observe/stats.h"

/* Returns the type of a process's entry: "c", "kpn", or that of its devices. */
const char *dal__times_type(const struct dal_process *process);
