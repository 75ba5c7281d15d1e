/*
 * largest.h: the largest energy of a strip.
 *
 * It begins with -infinity, which is all that there is of a token that is no frame. A largest
 * energy of 0 is +0.
 */
#ifndef PHOTON_LARGEST_H
#define PHOTON_LARGEST_H

#include "photon.h"

#include <math.h>
#include <stdint.h>

#define LARGEST_LANES 16
typedef float largest_lanes __attribute__((vector_size(64), aligned(4), may_alias));
typedef int32_t largest_masks __attribute__((vector_size(64)));

/* Of a multiple of LARGEST_LANES energies. */
static inline float largest_of(const float *energies, int pixels)
{
    largest_lanes most = *(const largest_lanes *)energies;
    float largest = -INFINITY;
    int i;

    for (i = LARGEST_LANES; i < pixels; i += LARGEST_LANES) {
        largest_lanes next = *(const largest_lanes *)(energies + i);
        largest_masks less = most < next;
        most = (largest_lanes)(((largest_masks)next & less) | ((largest_masks)most & ~less));
    }
    for (i = 0; i < LARGEST_LANES; i++)
        largest = largest < most[i] ? most[i] : largest;
    return largest + 0.0f;
}

#endif
