/*
 * Largest: the largest energy of a strip in each frame of a block, as in largest.h and with the
 * same bytes.
 *
 * A work-group is one firing; its work-items go through each frame together.
 */
#include "photon.h"

#include <dal_collectives.h>

#define IN_WORDS (TOKEN_in_SIZE / 4)

DAL_COLLECTIVE(float, max);

__kernel void Largest(__global const uint *in, __global uint *out)
{
    size_t firing = get_group_id(0);
    int i, f;

    DAL_SCRATCH(scratch);
    in += firing * VAR_frames * IN_WORDS;
    out += firing * (TOKEN_out_SIZE / 4);
    for (i = get_local_id(0); i < HEAD_WORDS; i += get_local_size(0))
        out[i] = in[i];
    for (f = 0; f < VAR_frames; f++) {
        __global const uint *token = in + f * IN_WORDS;
        float most = dal_joint_reduce_max_float((__global const float *)(token + HEAD_WORDS),
                                                PIXELS, -INFINITY, scratch);
        if (get_local_id(0) == 0)
            out[HEAD_WORDS + f] =
                as_uint(token[HEAD_KIND] == KIND_FRAME ? most + 0.0f : -INFINITY);
    }
}
