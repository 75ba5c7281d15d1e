/*
 * How long what is fired waits at which channel, when it is timed. It waits while nothing of it is
 * under way and an end of it lacks tokens or space for a firing. The wait is that of the first such
 * end. It begins when a core, or the handler, looks and finds so: a core that is at work for others
 * looks later. It lasts until something is begun, or another end is the first; a pause counts. A
 * KPN process waits where it reads and writes (rt/host/kpn.h).
 *
 * A group has one, and a launcher: one thread, or the group's claim. They look where there is
 * nothing to fire, and never where there is.
 */
#ifndef DAL_RT_HOST_WAITER_H
#define DAL_RT_HOST_WAITER_H

#include "channels/channel.h"
#include "rt/base/clock.h"

struct dal_waiter {
    struct dal_waits *at; /* of a channel; NULL: it does not wait */
};

static inline void dal_waiter_begin(struct dal_waiter *waiter, struct dal_waits *at, int64_t now_ns)
{
    waiter->at = at;
    if (at)
        atomic_store_explicit(&at->since_ns, now_ns, memory_order_relaxed);
}

/* The wait that goes on, if one does, is over. */
static inline void dal_waits_end(struct dal_waits *waits, int64_t now_ns)
{
    int64_t since_ns = dal_count_get(waits->since_ns);
    if (since_ns)
        dal_count_add(waits->ns, now_ns - since_ns);
    atomic_store_explicit(&waits->since_ns, 0, memory_order_relaxed);
}

/* It waits no more. */
static inline void dal_waiter_end(struct dal_waiter *waiter)
{
    if (!waiter->at)
        return;
    dal_count_add(waiter->at->count, 1);
    dal_waits_end(waiter->at, dal_now_ns());
    waiter->at = NULL;
}

/* There was nothing to fire: it waits at this end, NULL without. The owner's thread. */
static inline void dal_waiter_set(struct dal_waiter *waiter, const struct dal_end *end)
{
    struct dal_waits *at = end ? &dal_end_channel(end)->waits[end->output] : NULL;
    if (at == waiter->at)
        return;
    dal_waiter_end(waiter);
    dal_waiter_begin(waiter, at, dal_now_ns());
}

/* The same: the first of its ends that lacks something, if one does. */
static inline void dal_waiter_look(struct dal_waiter *waiter, struct dal_end *const *ends,
                                   int count)
{
    int i = 0;
    while (i < count && dal_end_ready(ends[i], 1) > 0)
        i++;
    dal_waiter_set(waiter, i < count ? ends[i] : NULL);
}

#endif
