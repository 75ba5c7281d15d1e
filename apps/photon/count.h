/*
 * count.h: energies become photons, which are added up over the frames of a block.
 *
 *     N = (int)((E + Eg/2) * (1/Eg)), from 0 to 65535
 */
#ifndef PHOTON_COUNT_H
#define PHOTON_COUNT_H

#include "photon.h"

#include <stdint.h>
#include <string.h>

/* Adds the photons of one token. */
static inline void count_strip(const float *restrict energies, uint32_t *restrict counts,
                               int pixels, float photon)
{
    float half = 0.5f * photon, inverse = 1.0f / photon;
    int i;

    for (i = 0; i < pixels; i++) {
        float photons = (energies[i] + half) * inverse;
        photons = photons > 0.0f ? photons : 0.0f;
        photons = photons < 65535.0f ? photons : 65535.0f;
        counts[i] += (uint32_t)(int32_t)photons;
    }
}

#endif
