/*
 * Measures how long a group or a launcher waits at which channel, when it is timed. It waits while
 * nothing of it is under way and one of its ends lacks tokens or space for a firing. The wait
 * counts for the first such end. It begins when a core, or the handler, finds it so; a core at work
 * for others looks later. It lasts until something begins, or until another end is the first; a
 * pause counts. A KPN process waits where it reads and writes (rt/kpn/port.c).
 *
 * Each group and each launcher has one waiter, used under the group's claim or by the launcher's
 * thread. They call it only when there is nothing to fire.
 */
#pragma once

#include "channels/channel.h"
#include "rt/base/clock.h"

struct dal_waiter {
    struct dal_waits *at; /* of the channel that it waits at, or NULL */
};

static inline void dal_waiter_begin(struct dal_waiter *waiter, struct dal_waits *at, int64_t now_ns)
{
    waiter->at = at;
    if (at)
        atomic_store_explicit(&at->since_ns, now_ns, memory_order_relaxed);
}

/* Ends the wait that goes on, if one does, and counts it. Returns how long it was. */
static inline int64_t dal_waits_end(struct dal_waits *waits, int64_t now_ns)
{
    int64_t since_ns = dal_count_get(waits->since_ns), time_ns = now_ns - since_ns;
    if (!since_ns)
        return 0;
    dal_count_add(waits->count, 1);
    dal_count_add(waits->ns, time_ns);
    atomic_store_explicit(&waits->since_ns, 0, memory_order_relaxed);
    return time_ns;
}

/* Ends its wait. Returns how long that was. */
static inline int64_t dal_waiter_end(struct dal_waiter *waiter)
{
    struct dal_waits *at = waiter->at;
    if (!at)
        return 0;
    waiter->at = NULL;
    return dal_waits_end(at, dal_now_ns());
}

/* Sets the wait to this end, or to none: there was nothing to fire. The owner's thread. */
static inline void dal_waiter_set(struct dal_waiter *waiter, const struct dal_end *end)
{
    struct dal_waits *at = end ? &dal_end_channel(end)->waits[end->output] : NULL;
    if (at == waiter->at)
        return;
    dal_waiter_end(waiter);
    dal_waiter_begin(waiter, at, dal_now_ns());
}

/* Sets the wait to the first end that lacks something, or to none. The owner's thread. */
static inline void dal_waiter_look(struct dal_waiter *waiter, struct dal_end *const *ends,
                                   int count)
{
    int i = 0;
    while (i < count && dal_end_ready(ends[i], 1) > 0)
        i++;
    dal_waiter_set(waiter, i < count ? ends[i] : NULL);
}
