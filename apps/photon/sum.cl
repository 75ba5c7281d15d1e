/*
 * Sum: energies added up over few and more frames, as in sum.h and with the same bytes.
 *
 * A work-group is one firing; its work-items share the pixels.
 */
#include "photon.h"

#define IN_WORDS  (TOKEN_in_SIZE / 4)
#define SUM_WORDS (TOKEN_few_SIZE / 4)
#define SUMS      (VAR_more / VAR_few)

__kernel void Sum(__global const uint *in, __global uint *few, __global uint *more)
{
    size_t firing = get_group_id(0);
    int i, n, f;

    in += firing * VAR_more * IN_WORDS;
    few += firing * SUMS * SUM_WORDS;
    more += firing * SUM_WORDS;
    for (i = get_local_id(0); i < HEAD_WORDS; i += get_local_size(0)) {
        for (n = 0; n < SUMS; n++)
            few[n * SUM_WORDS + i] = in[((n + 1) * VAR_few - 1) * IN_WORDS + i];
        more[i] = in[(VAR_more - 1) * IN_WORDS + i];
    }
    for (i = HEAD_WORDS + get_local_id(0); i < HEAD_WORDS + PIXELS; i += get_local_size(0)) {
        float all = 0.0f;
        for (n = 0; n < SUMS; n++) {
            float sum = as_float(in[n * VAR_few * IN_WORDS + i]);
            for (f = 1; f < VAR_few; f++)
                sum += as_float(in[(n * VAR_few + f) * IN_WORDS + i]);
            few[n * SUM_WORDS + i] = as_uint(sum);
            all = n == 0 ? sum : all + sum;
        }
        more[i] = as_uint(all);
    }
}
