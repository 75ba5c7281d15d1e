/* Which pulses are events, and what they are. */
#ifndef MEASURE_H
#define MEASURE_H

#include "events.h"

static inline int area_of(DAL_WINDOW const struct pulse *pulse)
{
    int area = 0;

    for (int k = 0; k < WIDE; k++)
        area += pulse->samples[k];
    return area;
}

/* A peak of noise, or on the flank of another pulse, has too little about it. */
static inline int is_event(DAL_WINDOW const struct pulse *pulse)
{
    return area_of(pulse) > 3 * pulse->samples[HALF];
}

static inline int centre_of(DAL_WINDOW const struct pulse *pulse)
{
    int moment = 0;

    for (int k = 0; k < WIDE; k++)
        moment += (k - HALF) * pulse->samples[k];
    return 256 * pulse->at + 256 * moment / area_of(pulse);
}

#endif
