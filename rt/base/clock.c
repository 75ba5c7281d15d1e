#define _GNU_SOURCE
#include "rt/base/clock.h"

#include "rt/base/sync.h"

static int64_t read_clock(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t dal_now_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t dal_tick_ns(void)
{
    return read_clock(CLOCK_MONOTONIC_COARSE);
}

int64_t dal_thread_ns(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

int64_t dal_until_ns(int64_t wait_ns)
{
    int64_t now_ns = dal_now_ns();
    return wait_ns >= INT64_MAX - now_ns ? INT64_MAX : now_ns + (wait_ns > 0 ? wait_ns : 0);
}
