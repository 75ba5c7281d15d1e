/* clock.h: the time since a fixed moment. */
#ifndef RADIO_CLOCK_H
#define RADIO_CLOCK_H

#include <time.h>

static inline double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
