/*
 * When a periodic process may fire: a release comes each period, and allows some firings. Its
 * firings are through when the last of them has been released to its readers. Then the next release
 * is known, by the policy for overruns (net.h):
 *
 *     DELAY    a period behind this one, or now if that is past
 *     CATCHUP  a period behind this one, also in the past
 *     SKIP     whole periods behind this one, the first that is not past
 *
 * A release that is through behind its deadline is a miss. One that is through behind the time of
 * the next is an overrun. A pause, or a lack of tokens or space, makes a release late as anything
 * else does; the policy applies when it is through. A release that is never through, as the network
 * ends before, is neither.
 *
 * The functions do not look at a clock: `now_ns` is dal_now_ns(), or what a test makes up. All
 * times are nanoseconds. A timer belongs to the thread that has its process's group claimed; any
 * thread may ask for dal_timer_next_ns(). Nothing here fails.
 */
#ifndef DAL_RT_HOST_TIMER_H
#define DAL_RT_HOST_TIMER_H

#include "include/net.h"
#include "rt/base/histogram.h"
#include "rt/base/sync.h"

struct dal_timer {
    const struct dal_period_desc *desc;
    /* Of the release that is waited for, or not through. Pairs with rt/base/wake.h: it is stored
     * before workers are signalled, and loaded after they have announced sleep. */
    _Atomic int64_t release_ns;
    uint64_t left; /* firings of it */
    int stopped;
    uint64_t misses, overruns, skipped;
    struct dal_histogram late; /* begin of each release's first activation, behind the release */
};

/* The first release is that of a network which begins to run at `start_ns`. The description stays
 * the caller's. */
void dal_timer_start(struct dal_timer *timer, const struct dal_period_desc *desc, int64_t start_ns);

/* From now on the process fires when it can, and nothing is counted: nobody waits for a release any
 * more, or it has ended. */
void dal_timer_stop(struct dal_timer *timer);

/* Firings that may begin now. */
uint64_t dal_timer_due(const struct dal_timer *timer, int64_t now_ns);

/* An activation begins, with firings that are due. */
void dal_timer_begun(struct dal_timer *timer, int64_t now_ns);

/* So many firings have been released. Returns whether the release is through by that, and there is
 * another one. */
int dal_timer_fired(struct dal_timer *timer, uint64_t firings, int64_t now_ns);

/* Releases whose first activation has begun. */
uint64_t dal_timer_releases(const struct dal_timer *timer);

/* When the next release comes, or came; INT64_MIN when it is stopped. */
static inline int64_t dal_timer_next_ns(const struct dal_timer *timer)
{
    return atomic_load_explicit(&timer->release_ns, memory_order_seq_cst);
}

/* The release that an activation is for; 0 when it is stopped. */
static inline int64_t dal_timer_release_ns(const struct dal_timer *timer)
{
    return timer->stopped ? 0 : dal_timer_next_ns(timer);
}

#endif
