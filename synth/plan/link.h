/*
 * The links between two nodes, and the size of messages and rings that a channel needs to use them.
 * One thread.
 *
 * The model (doc/explanation/scale.md). Tokens go, are read, and their room comes back: a turn. On
 * a slow link, a ring has several messages, each small enough to be sent without asking first. They
 * follow each other closely, so a ring of c bytes carries c in a turn, or what the link does.
 * Larger messages ask first, which is a second turn, and cost less time of a processor. Those of a
 * ring are sent together, and the link has nothing to do until room comes back: c bytes take their
 * time on the link and a turn.
 */
#pragma once

#include "spec/model/model.h"

/* Nanoseconds that threads and MPI take in a turn. */
#define DAL_PLAN_TURN_NS UINT64_C(500000)
/* Most that Open MPI sends over TCP without asking, less its headers; and bytes a second of the
 * fastest link that is worth so many messages. */
#define DAL_PLAN_MESSAGE_BYTES UINT64_C(61440)
#define DAL_PLAN_SLOW_LINK     UINT64_C(500000000)
/* Bytes that a ring without a size may have for its link. */
#define DAL_PLAN_LINK_BYTES (UINT64_C(256) << 20)

/* The way from one node to another, over one link or several. Latencies add up, and the least
 * bandwidth counts. */
struct dal_plan_way {
    char *names; /* names of the links in their order, "up, down"; owned. NULL: no way is known */
    uint64_t latency_ns;
    uint64_t bandwidth; /* bytes a second */
};

/* Finds the way of the least latency between two nodes that differ; of several such, one of large
 * bandwidth. DAL_OK or DAL_ERR_NOMEM. */
int dal_plan_find_way(const struct dal_spec_architecture *architecture, size_t from, size_t to,
                      struct dal_plan_way *way);
/* Accepts a zeroed one. */
void dal_plan_way_finish(struct dal_plan_way *way);

/* Most tokens of a message; 0 leaves it to the runtime. */
uint64_t dal_plan_way_message(const struct dal_plan_way *way, uint64_t token_bytes);
/* Returns the bytes of a ring, of tokens of so many bytes, that lets a channel use the bandwidth;
 * with large messages, 0.94 of it. */
double dal_plan_way_bytes(const struct dal_plan_way *way, uint64_t token_bytes);
/* Bytes a second that a ring of so many bytes lets through. */
double dal_plan_way_rate(const struct dal_plan_way *way, uint64_t token_bytes, double bytes);
