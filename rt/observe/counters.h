/*
 * The counters of a run. DAL_STATS' table and file read from this one table, and dal-program(7)
 * lists it.
 */
#pragma once

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

/* Print all counters as members of JSON, each after a comma. */
void dal__counters_process(FILE *file, const struct dal_process *process);
void dal__counters_channel(FILE *file, const struct dal_channel *channel);
