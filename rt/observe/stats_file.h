/*
 * The file of statistics (DAL_STATS=FILE), as JSON for programs. Times are nanoseconds, sizes
 * bytes, rates and capacities tokens; all numbers are whole.
 *
 *     {"dal-stats": 1, "version": "0.1.0", "network": NAME, "run": LABEL, "wall_ns": N,
 *      "nodes": [...], "processes": [...], "together": [...], "launched": [...],
 *      "channels": [...], "flows": [...], "devices": [...], "latencies": [...],
 *      "periodic": [...]}
 *
 * `run` is there in a program of several applications, and in the file that a node writes of its
 * own after an error. In a network on several nodes all entries but those of flows have the name of
 * their "node", and `wall_ns` is the first node's. Entries, one a line:
 *
 *     nodes: {"wall_ns", "clock_error_ns", "events_ignored", "error"}
 *
 * One of each, in their order. `error` is there after one, and says which.
 *
 *     processes: {"process", "type": "c" | "kpn" | "opencl", "planned": [PROCESSOR...],
 *         "on": [PROCESSOR...], "source", "key", "copies": S, "items": I, "repetitions",
 *         "activations" or "launches", COUNTERS, "first_ns", "last_ns", "spread": [NS, N, ...],
 *         "parts": [{"on", "firings", "launches", "device_ns"}...]}
 *
 * `on` differs from `planned` where a device had too little. `key` is that of DAL_TIMES.
 * `repetitions` are firings in an iteration of the network, 0 of a KPN process. COUNTERS are all
 * of rt/observe/counters.h. `firing_ns` may be more than `wall_ns`, where there are shadow copies.
 * Of processes that are launched as one each has the same part of it. The first firing began at
 * `first_ns`, the last one ended at `last_ns`, since the node began to run; 0 without any. `spread`
 * has how many firings took that many ns or up to a fifth more, as DAL_TIMES counts them. `parts`
 * is there on several devices.
 *
 *     together: {"first": NAME, "processes": [NAME...], "copies", "channels", "overlay_bytes",
 *         "ring_bytes"}
 *     launched: {"group", "processes": [NAME...], "rounds", "launches"}
 *
 * Fired in turn as one, and launched as one. Channels between processes that are fired in turn
 * share `overlay_bytes` in all, instead of the `ring_bytes` that their rings take.
 *
 *     channels: {"channel", "from": {"process", "port"}, "to": {"process", "port"}, "kind",
 *         "planned_kind", "token_bytes", "rate_in", "rate_out", "initial_tokens", "capacity",
 *         "planned_capacity", "ring_bytes", COUNTERS}
 *
 * `kind` differs from `planned_kind` where a device was not as the plan had thought, `capacity`
 * from `planned_capacity` where a channel has grown. `ring_bytes` is the ring that the producer
 * writes, which all channels of a port share. `tokens` were read, `left` are in it at the end.
 * `bytes_copied` is what the runtime has moved between memories for this channel, `bytes_in_place`
 * what was read where it was written. One that leads to another node is told by its reader's node;
 * what was sent is a flow.
 *
 *     flows: {"channel", "from": NODE, "to": NODE, "tokens", "messages", "bytes", "space_waits",
 *         "space_wait_ns"}
 *     devices: {"processor", "device": IDENTIFIER, "compiled", "cached", "ready_ns"}
 *
 * A flow goes from a port to another node, once for all readers there. Of a device: sources of
 * kernels that were compiled, or came from the disk cache, and what that took.
 *
 *     latencies: {"from", "to", "iterations", "p50_ns", "p99_ns", "max_ns", "allowed_ns",
 *         "misses", "lost"}
 *     periodic: {"process", "releases", "misses", "overruns", "skipped", "late_p50_ns",
 *         "late_p99_ns", "late_max_ns"}
 *
 * Of a latency (rt/host/latency.h): iterations that were counted, what half of them, 99 of 100, and
 * all did not exceed, and how many took longer than is allowed. `lost` ones are not among them. Of
 * a periodic process (rt/host/timer.h): releases that it has begun to fire in, of those the misses
 * and overruns, those that were skipped, and how late it began. A latency between processes of two
 * nodes is not counted, and not there.
 *
 * Waits (rt/host/waiter.h): so often, and so long in all, the reader has waited for tokens of a
 * channel, and the producer for space in it.
 */
#ifndef DAL_RT_OBSERVE_STATS_FILE_H
#define DAL_RT_OBSERVE_STATS_FILE_H

#include "rt/observe/stats.h"

#include <stdio.h>

/* The entries of a list, with commas between; nothing without any. After all threads have been
 * joined. */
void dal__stats_nodes(const struct dal_network *network, FILE *file);
void dal__stats_processes(const struct dal_network *network, FILE *file);
void dal__stats_together(const struct dal_network *network, FILE *file);
void dal__stats_launched(const struct dal_network *network, FILE *file);
void dal__stats_channels(const struct dal_network *network, FILE *file);
void dal__stats_flows(const struct dal_network *network, FILE *file);
void dal__stats_devices(const struct dal_network *network, FILE *file);
void dal__stats_latencies(const struct dal_network *network, FILE *file);
void dal__stats_periodic(const struct dal_network *network, FILE *file);

/* What stands in the file, from the entries that the reports have; `label` as in stats.h. */
void dal__stats_print(FILE *file, const struct dal_stats_report *reports, int count,
                      const char *label);

/* The file, with the entries that the reports have; `label` as in stats.h. DAL_OK or a negative
 * code, logged, with what was there before. */
int dal__stats_write(const char *name, const struct dal_stats_report *reports, int count,
                     const char *label);

#endif
