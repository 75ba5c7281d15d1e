/*
 * The file of statistics (DAL_STATS=FILE), as JSON for programs. Times are nanoseconds, sizes
 * bytes, rates and capacities tokens. Numbers are whole, but for percentiles and clocks.
 *
 *     {"dal-stats": 1, "version": "0.1.0", "network": NAME, "run": LABEL, "wall_ns": N,
 *      "nodes": [...], "processes": [...], "together": [...], "launched": [...],
 *      "channels": [...], "flows": [...], "devices": [...], "latencies": [...],
 *      "periodic": [...]}
 *
 * `run` is there in a program of several applications, and in a file that a node writes alone after
 * an error. On several nodes, all entries but flows name their "node", and `wall_ns` is the first
 * node's. The entries, one a line:
 *
 *     nodes: {"wall_ns", "clock_error_ns", "events_ignored", "error"}
 *
 * There is one entry for each node, in their order. `error` is there after an error and names it.
 *
 *     processes: {"process", "type": "c" | "kpn" | "opencl", "planned": [PROCESSOR...],
 *         "on": [PROCESSOR...], "source", "key", "copies": S, "items": I, "repetitions",
 *         "activations" or "launches", COUNTERS, "first_ns", "last_ns",
 *         "tokens_per_s", "nominal_per_s", "drift_ppm", "drift_ns", "spread": [NS, N, ...],
 *         "curve": [LAUNCHES, FIRINGS, NS, ...],
 *         "parts": [{"on", "firings", "launches", "device_ns"}...]}
 *
 * `on` differs from `planned` where a device had too little. `key` is that of DAL_TIMES.
 * `repetitions` are firings in an iteration of the network, 0 of a KPN process. COUNTERS are all of
 * rt/observe/counters.h. With shadow copies, `firing_ns` may be more than `wall_ns`. Processes that
 * are launched as one share it equally. The first firing began at `first_ns` and the last one ended
 * at `last_ns`, since the node began to run; 0 without any. `spread` counts the firings that took
 * NS or up to a fifth more, as DAL_TIMES counts them. The four before it are there of a process
 * that is periodic or has a clock outside (rt/host/drift.h), measured over `drift_ns`; a nominal
 * rate of 0 is not known. `curve` is there on devices, as DAL_TIMES has it. `parts` is there on
 * several devices.
 *
 *     together: {"first": NAME, "processes": [NAME...], "copies", "channels", "overlay_bytes",
 *         "ring_bytes"}
 *     launched: {"group", "processes": [NAME...], "rounds", "launches"}
 *
 * `together` lists processes fired in turn as one, `launched` those launched as one. Channels
 * between processes that are fired in turn share `overlay_bytes` in all, instead of the
 * `ring_bytes` that their rings take.
 *
 *     channels: {"channel", "from": {"process", "port"}, "to": {"process", "port"}, "kind",
 *         "planned_kind", "token_bytes", "rate_in", "rate_out", "initial_tokens", "capacity",
 *         "planned_capacity", "ring_bytes", COUNTERS}
 *
 * `kind` differs from `planned_kind` if a device was not as planned, `capacity` from
 * `planned_capacity` if a channel has grown. `ring_bytes` is the ring that the producer writes,
 * which all channels of a port share. `tokens` were read, `left` are in it at the end. The runtime
 * copied `bytes_copied` for this channel, between memories or within a ring of a device;
 * `bytes_in_place` were read where they were written. The reader's node reports a channel from
 * another node; the sending side is a flow.
 *
 *     flows: {"channel", "from": NODE, "to": NODE, "tokens", "messages", "bytes", "space_waits",
 *         "space_wait_ns"}
 *     devices: {"processor", "device": IDENTIFIER, "compiled", "cached", "ready_ns"}
 *
 * A flow goes from a port to another node, once for all readers there. A device has the numbers of
 * kernel sources that were compiled or came from the disk cache, and the time of both.
 *
 *     latencies: {"from", "to", "iterations", "p50_ns", "p99_ns", "max_ns", "allowed_ns",
 *         "percentile", "percentile_ns", "misses", "lost"}
 *     periodic: {"process", "releases", "misses", "overruns", "skipped", "late_p50_ns",
 *         "late_p99_ns", "late_max_ns"}
 *
 * A latency (rt/host/latency.h) has the iterations counted, their median, 99th percentile and
 * maximum, and the misses: those that took longer than allowed. `lost` iterations are not counted.
 * Of a promise, `percentile` of all are to be within `allowed_ns`, and were within `percentile_ns`,
 * which is known to 2 %.
 * A periodic process (rt/host/timer.h) has the releases in which it began to fire, with the misses
 * and overruns among them. It also has the skipped releases, and how late it began. A latency
 * between processes of two nodes is not measured and has no entry.
 *
 * Waits (rt/host/waiter.h): how often and how long the reader has waited for tokens of a channel,
 * and the producer for space in it.
 */
#pragma once

#include "rt/observe/stats.h"

#include <stdio.h>

/* Prints the contents of the file. Returns DAL_OK. */
int dal__stats_print(FILE *file, const struct dal_reports *all);
