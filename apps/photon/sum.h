/*
 * sum.h: energies are added up over VAR_few, VAR_more and VAR_most frames.
 *
 *     few[k]  = E of frame k * VAR_few + .. , one frame after the other
 *     more[k] = the sums of few frames, one after the other; most[k] = those of more frames
 *
 * So each energy is read once, and the order of additions is that of the frames.
 */
#ifndef PHOTON_SUM_H
#define PHOTON_SUM_H

#include "photon.h"

#include <stdint.h>
#include <string.h>

/* `pixels` of `ratio` tokens, which are `words` apart, become one. */
static inline void sum_pixels(const uint32_t *restrict in, size_t words, float *restrict out,
                              int ratio, int pixels)
{
    int x, i;

    for (x = 0; x < pixels; x++) {
        float sum = ((const float *)in)[x];
        for (i = 1; i < ratio; i++)
            sum += ((const float *)(in + (size_t)i * words))[x];
        out[x] = sum;
    }
}

/* The head of a sum is that of the last token in it. */
static inline void sum_head(const uint32_t *in, size_t words, uint32_t *out, int ratio)
{
    memcpy(out, in + (size_t)(ratio - 1) * words, HEAD_WORDS * sizeof(*out));
}

#endif
