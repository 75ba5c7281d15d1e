/* rate.h: the time since a fixed moment, and what is told of a run's speed. */
#ifndef PHOTON_RATE_H
#define PHOTON_RATE_H

#include <stdio.h>
#include <time.h>

static inline double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Of so many frames of 16 bits a pixel, in `time` seconds. */
static inline void tell_rate(double frames, double time)
{
    double rate = time > 0 ? frames / time : 0, pixels = rate * VAR_width * VAR_height;

    fprintf(stderr, "%.1f million pixels/s, %.1f MB/s of words\n", 1e-6 * pixels, 2e-6 * pixels);
    fprintf(stderr, "%.0f frames in %.3f s, %.1f frames/s\n", frames, time, rate);
}

#endif
