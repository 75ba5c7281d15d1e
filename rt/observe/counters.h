/*
 * The counters of a run. DAL_STATS' table and file read from this one table, and dal-program(7)
 * lists it.
 */
#pragma once

#include "rt/host/latency.h"
#include "rt/host/timer.h"
#include "rt/model/network.h"

#include <stdio.h>

/* X(name, unit, meaning): the member in DAL_STATS' file, its unit, and the manual's text.
 * dal_process_count() returns the value. */
#define DAL_PROCESS_COUNTERS(X)                                                                    \
    X(firings, "firings", "how often it has fired")                                                \
    X(firing_ns, "ns", "from begin to end of its firings, of all copies and devices together")     \
    X(busy_ns, "ns", "of that, what processors of the host have worked for it")                    \
    X(device_ns, "ns", "of that, what its launches took on devices")                               \
    X(starved_ns, "ns", "what it waited for tokens, at all its ports")                             \
    X(blocked_ns, "ns", "what it waited for space, at all its ports")                              \
    X(in_use, "cores", "how many of its cores take part, where more are not faster")

/* The same for a channel: dal_channel_count(). */
#define DAL_CHANNEL_COUNTERS(X)                                                                    \
    X(tokens, "tokens", "how many were read")                                                      \
    X(left, "tokens", "how many are in it at the end")                                             \
    X(bytes_copied, "bytes", "what was copied for it on devices, or to them and back")             \
    X(bytes_in_place, "bytes", "what was read where it was written")                               \
    X(token_waits, "waits", "how often its reader waited for tokens")                              \
    X(token_wait_ns, "ns", "how long its reader waited for tokens")                                \
    X(space_waits, "waits", "how often its writer waited for space")                               \
    X(space_wait_ns, "ns", "how long its writer waited for space")                                 \
    X(packet_tokens, "tokens", "of a counted channel with an end on a core: those in its packets") \
    X(lost, "tokens", "of a channel of the newest token: those that no firing has read")           \
    X(repeated, "tokens", "of such a channel: reads of what had been read")                        \
    X(age_ns, "ns", "of such a channel: how old the tokens were, over all reads together")         \
    X(oldest_ns, "ns", "of such a channel: the age of the oldest that was read")

#define DAL_COUNTER_NUMBER(name, unit, meaning) DAL_COUNTER_##name,
enum dal_process_counter { DAL_PROCESS_COUNTERS(DAL_COUNTER_NUMBER) DAL_COUNTERS_OF_PROCESS };
enum dal_channel_counter { DAL_CHANNEL_COUNTERS(DAL_COUNTER_NUMBER) DAL_COUNTERS_OF_CHANNEL };

/* Return a counter. Any thread, even while the network runs: the result is what the owners have
 * counted so far. */
uint64_t dal_process_count(const struct dal_process *process, enum dal_process_counter counter);
uint64_t dal_channel_count(const struct dal_channel *channel, enum dal_channel_counter counter);

/* The same for a latency that is promised, and for a periodic process: members of a struct. */
#define DAL_LATENCY_COUNTERS(X)                                                                    \
    X(iterations, "iterations", "how many were counted")                                           \
    X(percentile_ns, "ns", "what the promised part of them took at most, known to 2 %")            \
    X(max_ns, "ns", "what the longest of them took")                                               \
    X(misses, "iterations", "how many of them took longer than is allowed")                        \
    X(lost, "iterations", "how many more were not counted: too many were on their way")

#define DAL_PERIODIC_COUNTERS(X)                                                                   \
    X(releases, "releases", "those in which it began to fire")                                     \
    X(misses, "releases", "of those, how many were through after their deadline")                  \
    X(overruns, "releases", "of those, how many were through after the time of the next")          \
    X(skipped, "releases", "those that did not happen, since one before was late")

#define DAL_COUNTER_MEMBER(name, unit, meaning) uint64_t name;
struct dal_latency_counts {
    DAL_LATENCY_COUNTERS(DAL_COUNTER_MEMBER)
};
struct dal_periodic_counts {
    DAL_PERIODIC_COUNTERS(DAL_COUNTER_MEMBER)
};

/* Return what has been counted so far. Any thread, even while the network runs: a member may then
 * be older than another. There are never more misses than iterations. */
struct dal_latency_counts dal_latency_count(const struct dal_latency *latency);
struct dal_periodic_counts dal_periodic_count(const struct dal_timer *timer);

/* Print all counters as members of JSON, each after a comma. Any thread. `timed`: the run keeps
 * times (DAL_NEEDS_TIMES); otherwise those that take them, and waits, are left out. */
void dal__counters_process(FILE *file, const struct dal_process *process, int timed);
void dal__counters_channel(FILE *file, const struct dal_channel *channel, int timed);
void dal__counters_latency(FILE *file, const struct dal_latency *latency);
void dal__counters_periodic(FILE *file, const struct dal_timer *timer);
