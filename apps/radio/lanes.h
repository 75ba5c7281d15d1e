/*
 * lanes.h: LANES floats at once, for C. The compiler makes of them what the processor has. Each
 * lane is rounded as a float is, so the bytes are those of a loop over the lanes.
 */
#ifndef RADIO_LANES_H
#define RADIO_LANES_H

#include "radio.h"

typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

/* Those that begin at `at`, a pointer to float. */
#define LANES_AT(at) (*(lanes *)(at))
#define LANES_OF(at) (*(const lanes *)(at))

typedef float half_lanes __attribute__((vector_size(2 * LANES), aligned(4), may_alias));
typedef float quarter_lanes __attribute__((vector_size(LANES), aligned(4), may_alias));

/* Their sum: each half is added to the other, and so on. */
static inline float lanes_sum(const lanes *all)
{
    const half_lanes *half = (const half_lanes *)all;
    half_lanes eight = half[0] + half[1];
    const quarter_lanes *quarter = (const quarter_lanes *)&eight;
    quarter_lanes four = quarter[0] + quarter[1];

    return (four[0] + four[2]) + (four[1] + four[3]);
}

#endif
