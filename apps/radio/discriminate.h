/* discriminate.h: the frequency of the baseband, sample by sample: that is the multiplex. */
#ifndef RADIO_DISCRIMINATE_H
#define RADIO_DISCRIMINATE_H

#include "angle.h"

/* One block: `before` and `in` have block real and block imaginary parts, of `before` only the last
 * sample counts. */
static inline void discriminate_block(const float *restrict before, const float *restrict in,
                                      float *restrict out, int block)
{
    const float *re = in, *im = in + block;
    int m;

    out[0] = angle(before[block - 1], before[2 * block - 1], re[0], im[0]);
    for (m = 1; m < block; m++)
        out[m] = angle(re[m - 1], im[m - 1], re[m], im[m]);
}

#endif
