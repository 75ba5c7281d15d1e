/*
 * resample.h: from the multiplex at 256 kHz to three bands of it at 48 kHz: 16 samples become 3.
 *
 *     stream 0       what is below 15 kHz: left + right
 *     streams 1, 2   what is 15 kHz around 38 kHz, as complex numbers: left - right
 *     streams 3, 4   what is 15 kHz around 19 kHz, as complex numbers: the pilot is in it
 *
 * Output k is at input 16 k / 3. It has the taps of phase k mod 3, of 240 for each stream: only
 * those that would not meet a zero, had the multiplex first been spread to 768 kHz. A sum has LANES
 * partial sums, which are added in pairs (lanes_sum).
 *
 * Three blocks of outputs need 16 blocks of inputs: the first one six of them, since it ends in the
 * sixth, and the others five more each. These are the phases of the process.
 */
#ifndef RADIO_RESAMPLE_H
#define RADIO_RESAMPLE_H

#include "lanes.h"
#include "radio.h"
#include "taps.h"

#include <string.h>

/* Inputs of one block of outputs, with the older ones that count. */
#define RESAMPLE_SCRATCH(block) (PHASE_TAPS - 1 + (block) / UP * DOWN)

/* One output of each stream: `x` has PHASE_TAPS inputs, `taps` as many for each stream. */
static inline void resample_one(const float *x, const float *taps, float *out, int block)
{
    lanes sum[STREAMS] = {{0}};
    int c, s;

    for (c = 0; c < PHASE_TAPS; c += LANES) {
        lanes here = LANES_OF(x + c);
#pragma GCC unroll 5
        for (s = 0; s < STREAMS; s++)
            sum[s] += LANES_OF(taps + s * PHASE_TAPS + c) * here;
    }
#pragma GCC unroll 5
    for (s = 0; s < STREAMS; s++)
        out[s * block] = lanes_sum(&sum[s]);
}

/* Puts the RESAMPLE_SCRATCH(block) inputs of a block into a row: they begin at `start` in `in`, of
 * which the `had` in front of it are in `before`. */
static inline void resample_gather(const float *restrict before, int had, const float *restrict in,
                                   int start, float *restrict x, int block)
{
    int older = start < 0 ? -start : 0, all = RESAMPLE_SCRATCH(block);

    memcpy(x, before + had - older, (size_t)older * sizeof(*x));
    memcpy(x + older, in + start + older, (size_t)(all - older) * sizeof(*x));
}

/* One block of outputs, STREAMS times `block` floats, of its RESAMPLE_SCRATCH(block) inputs. */
static inline void resample_block(const float *restrict x, float *restrict out, int block)
{
    int k;

    for (k = 0; k < block; k++)
        resample_one(x + k * DOWN / UP, resample_taps + k % UP * STREAMS * PHASE_TAPS, out + k,
                     block);
}

#endif
