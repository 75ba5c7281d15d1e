/*
 * Timers say when a periodic process may fire: a release comes each period and allows some firings.
 * A release is through when the last of its firings was released to its readers. The policy for
 * overruns (net.h) then gives the next release:
 *
 *     DELAY    a period after this one, or now if that is past
 *     CATCHUP  a period after this one, also in the past
 *     SKIP     whole periods after this one, the first that is not past
 *
 * A release that is through after its deadline is a miss. One that is through after the time of the
 * next is an overrun. A pause, or a lack of tokens or space, makes a release late like anything
 * else; the policy applies when it is through. A release that the network's end cuts off is neither
 * a miss nor an overrun.
 *
 * The functions read no clock: `now_ns` is dal_now_ns(), or made up by a test. All times are
 * nanoseconds. A timer belongs to the thread that has its process's group claimed. Any thread may
 * call dal_timer_next_ns() and dal_timer_releases(), and look at what is counted
 * (rt/base/count.h). Nothing here fails.
 */
#pragma once

#include "include/net.h"
#include "rt/base/histogram.h"
#include "rt/base/sync.h"

struct dal_timer {
    const struct dal_period_desc *desc;
    /* Time of the release that is waited for, or not through. Pairs with rt/base/wake.h: it is
     * stored before workers are signalled, and loaded after they have announced sleep. */
    _Atomic int64_t release_ns;
    uint64_t left; /* firings of this release that are left */
    int stopped;
    _Atomic uint64_t misses, overruns, skipped;
    struct dal_histogram late; /* begin of each release's first activation, after its release */
};

/* Starts the timer: the network begins to run at `start_ns`, which gives the first release. The
 * description stays the caller's. */
void dal_timer_start(struct dal_timer *timer, const struct dal_period_desc *desc, int64_t start_ns);

/* Stops the timer: from now on the process fires when it can, and nothing is counted. */
void dal_timer_stop(struct dal_timer *timer);

/* Returns the firings that may begin now. */
uint64_t dal_timer_due(const struct dal_timer *timer, int64_t now_ns);

/* Tells that an activation begins, with firings that are due. */
void dal_timer_begun(struct dal_timer *timer, int64_t now_ns);

/* Counts released firings. Returns whether the release is through by that and another follows. */
int dal_timer_fired(struct dal_timer *timer, uint64_t firings, int64_t now_ns);

/* Returns the releases whose first activation has begun. */
uint64_t dal_timer_releases(const struct dal_timer *timer);

/* Returns the time of the next release, which may be past; INT64_MIN when stopped. */
static inline int64_t dal_timer_next_ns(const struct dal_timer *timer)
{
    return atomic_load_explicit(&timer->release_ns, memory_order_seq_cst);
}

/* Returns the release that an activation is for, or 0 when stopped. */
static inline int64_t dal_timer_release_ns(const struct dal_timer *timer)
{
    return timer->stopped ? 0 : dal_timer_next_ns(timer);
}
