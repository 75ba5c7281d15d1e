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

/* Inputs that count for an output beside its newest one. */
#define RESAMPLE_AGE (PHASE_TAPS - 1)

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

/* Outputs `from` up to `to` of a block; the oldest input of output k is x[start + k * DOWN / UP].
 * Inlined where all numbers are known, it costs GCC half a minute, and runs slower. */
static __attribute__((noinline)) void resample_some(const float *x, int start, float *restrict out,
                                                    int from, int to, int block)
{
    int k;

    for (k = from; k < to; k++)
        resample_one(x + (start + k * DOWN / UP), resample_taps + k % UP * STREAMS * PHASE_TAPS,
                     out + k, block);
}

/* One block of outputs, STREAMS times `block` floats, of inputs in a row. */
static inline void resample_block(const float *restrict x, float *restrict out, int block)
{
    resample_some(x, 0, out, 0, block, block);
}

/* The first output whose oldest input is no less than `distance` behind that of the block. */
static inline int resample_first(int distance)
{
    return distance > 0 ? (distance * UP + DOWN - 1) / DOWN : 0;
}

/* One block of outputs, whose inputs begin at `start` in `in`: that is negative, and what is in
 * front of `in` ends at `end`. Where an output's inputs are on both sides, they are put into a row,
 * `seam`, of 2 * RESAMPLE_AGE floats. */
static inline void resample_apart(const float *restrict end, const float *restrict in, int start,
                                  float *restrict seam, float *restrict out, int block)
{
    int both = resample_first(-RESAMPLE_AGE - start), now = resample_first(-start);

    memcpy(seam, end - RESAMPLE_AGE, RESAMPLE_AGE * sizeof(*seam));
    memcpy(seam + RESAMPLE_AGE, in, RESAMPLE_AGE * sizeof(*seam));
    resample_some(end, start, out, 0, both, block);
    resample_some(seam, RESAMPLE_AGE + start, out, both, now, block);
    resample_some(in, start, out, now, block, block);
}

#endif
