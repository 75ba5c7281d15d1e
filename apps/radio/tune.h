/*
 * tune.h: moves the station from a quarter of the sample rate to 0, and keeps each fourth sample of
 * what a low pass leaves of it.
 *
 *     out[m] = sum of j = 0 .. 63: tune_taps[j] * i^j * x[4 m + 3 - j]
 *
 * Turning by a quarter for each sample is an exchange of I and Q with signs, so it costs nothing:
 * the samples are dealt to four branches, each with its own signs (a polyphase filter), and the
 * branches are filtered for several outputs side by side. Each sum has its terms in the order of j.
 */
#ifndef RADIO_TUNE_H
#define RADIO_TUNE_H

#include "lanes.h"
#include "radio.h"
#include "taps.h"

#include <stdint.h>

/* Floats of one branch: what counts of the block before, and the block. */
#define TUNE_BRANCH(block) (TUNE_AGE - 1 + (block))
/* Floats of scratch memory: four branches of the real part and four of the imaginary one. */
#define TUNE_SCRATCH(block) (2 * DECIMATION * TUNE_BRANCH(block))

/* Deals `count` groups of four samples to the branches, in which they begin at `at`. */
static inline void tune_deal(const int8_t *restrict in, float *restrict scratch, int at, int count,
                             int block)
{
    float *re = scratch + at, *im = re + DECIMATION * TUNE_BRANCH(block);
    int length = TUNE_BRANCH(block), m;

    for (m = 0; m < count; m++) {
        float x[2 * DECIMATION];
        int i;
        for (i = 0; i < 2 * DECIMATION; i++)
            x[i] = (float)in[2 * DECIMATION * m + i] * 0.0078125f + 0.00390625f;
        re[m] = x[6];
        im[m] = x[7];
        re[length + m] = -x[5];
        im[length + m] = x[4];
        re[2 * length + m] = -x[2];
        im[2 * length + m] = -x[3];
        re[3 * length + m] = x[1];
        im[3 * length + m] = -x[0];
    }
}

/* 2 * LANES outputs; their newest samples begin at `re` and `im` in the first branches. Four sums
 * at a time, so that none waits for itself. */
static inline void tune_lanes(const float *re, const float *im, float *out_re, float *out_im,
                              int length)
{
    lanes re0 = {0}, re1 = {0}, im0 = {0}, im1 = {0};
    int k, p;

    for (k = 0; k < TUNE_AGE; k++)
        for (p = 0; p < DECIMATION; p++) {
            float tap = tune_taps[DECIMATION * k + p];
            re0 += tap * LANES_OF(re + p * length - k);
            re1 += tap * LANES_OF(re + p * length - k + LANES);
            im0 += tap * LANES_OF(im + p * length - k);
            im1 += tap * LANES_OF(im + p * length - k + LANES);
        }
    LANES_AT(out_re) = re0;
    LANES_AT(out_re + LANES) = re1;
    LANES_AT(out_im) = im0;
    LANES_AT(out_im + LANES) = im1;
}

/* One block: `before` and `in` have 4 * block samples, `out` gets block real and block imaginary
 * parts. `block` is a multiple of 2 * LANES; `scratch` has TUNE_SCRATCH(block) floats. */
static inline void tune_block(const int8_t *restrict before, const int8_t *restrict in,
                              float *restrict out, int block, float *restrict scratch)
{
    int length = TUNE_BRANCH(block), age = TUNE_AGE - 1, m;
    const float *re = scratch + age, *im = re + DECIMATION * length;

    tune_deal(before + 2 * DECIMATION * (block - age), scratch, 0, age, block);
    tune_deal(in, scratch, age, block, block);
    for (m = 0; m < block; m += 2 * LANES)
        tune_lanes(re + m, im + m, out + m, out + block + m, length);
}

#endif
