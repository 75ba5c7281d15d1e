#include "rt/host/timer.h"

/* Adds two times; the sum saturates. */
static int64_t add_ns(int64_t a, int64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

static void await_release(struct dal_timer *timer, int64_t release_ns)
{
    timer->left = timer->desc->repetitions;
    atomic_store_explicit(&timer->release_ns, release_ns, memory_order_seq_cst);
}

void dal_timer_start(struct dal_timer *timer, const struct dal_period_desc *desc, int64_t start_ns)
{
    timer->desc = desc;
    await_release(timer, add_ns(start_ns, desc->phase_ns));
}

void dal_timer_stop(struct dal_timer *timer)
{
    timer->stopped = 1;
    atomic_store_explicit(&timer->release_ns, INT64_MIN, memory_order_seq_cst);
}

uint64_t dal_timer_due(const struct dal_timer *timer, int64_t now_ns)
{
    if (timer->stopped)
        return UINT64_MAX;
    return now_ns >= dal_timer_next_ns(timer) ? timer->left : 0;
}

void dal_timer_begun(struct dal_timer *timer, int64_t now_ns)
{
    if (!timer->stopped && timer->left == timer->desc->repetitions)
        dal_histogram_add_one(&timer->late, (double)(now_ns - dal_timer_next_ns(timer)));
}

/* Returns the first release after `release_ns` that is not past. */
static int64_t skip_to(struct dal_timer *timer, int64_t release_ns, int64_t now_ns)
{
    int64_t period_ns = timer->desc->period_ns, periods = 1;
    if (now_ns - release_ns > period_ns)
        periods = (now_ns - release_ns - 1) / period_ns + 1;
    dal_count_add(timer->skipped, (uint64_t)periods - 1);
    return add_ns(release_ns, periods * period_ns);
}

int dal_timer_fired(struct dal_timer *timer, uint64_t firings, int64_t now_ns)
{
    int64_t release_ns = dal_timer_next_ns(timer);
    int64_t next_ns;
    if (timer->stopped || firings == 0)
        return 0;
    timer->left -= firings;
    if (timer->left > 0)
        return 0;
    next_ns = add_ns(release_ns, timer->desc->period_ns);
    dal_count_add(timer->misses, now_ns > add_ns(release_ns, timer->desc->deadline_ns));
    dal_count_add(timer->overruns, now_ns > next_ns);
    if (timer->desc->overrun == DAL_OVERRUN_DELAY && now_ns > next_ns)
        next_ns = now_ns;
    else if (timer->desc->overrun == DAL_OVERRUN_SKIP)
        next_ns = skip_to(timer, release_ns, now_ns);
    await_release(timer, next_ns);
    return 1;
}

uint64_t dal_timer_releases(const struct dal_timer *timer)
{
    return dal_count_get(timer->late.count);
}
