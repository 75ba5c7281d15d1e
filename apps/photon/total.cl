/*
 * Total: sums over more frames added up to one over most frames, as in sum.h and with the same
 * bytes.
 *
 * A work-group is one firing; its work-items share the pixels.
 */
#include "photon.h"

#define WORDS (TOKEN_out_SIZE / 4)
#define SUMS  (VAR_most / VAR_more)

__kernel void Total(__global const uint *in, __global uint *out)
{
    size_t firing = get_group_id(0);
    int i, n;

    in += firing * SUMS * WORDS;
    out += firing * WORDS;
    for (i = get_local_id(0); i < HEAD_WORDS; i += get_local_size(0))
        out[i] = in[(SUMS - 1) * WORDS + i];
    for (i = HEAD_WORDS + get_local_id(0); i < HEAD_WORDS + PIXELS; i += get_local_size(0)) {
        float sum = as_float(in[i]);
        for (n = 1; n < SUMS; n++)
            sum += as_float(in[n * WORDS + i]);
        out[i] = as_uint(sum);
    }
}
