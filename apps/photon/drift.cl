/*
 * Drift: how far the pedestals of stage 0 are from those of the calibration, as in drift.c and with
 * the same bytes.
 *
 * A work-group is one firing; its work-items share the pixels.
 */
#include "photon.h"

__kernel void Drift(__global const uint *counts, __global const float *state,
                    __global const float *before, __global float *after, __global uint *out)
{
    size_t firing = get_group_id(0);
    int i;

    counts += firing * (TOKEN_counts_SIZE / 4);
    state += firing * (TOKEN_state_SIZE / 4) + PLANE_PED * PIXELS;
    before += firing * (TOKEN_before_SIZE / 4);
    after += firing * (TOKEN_after_SIZE / 4);
    out += firing * (TOKEN_out_SIZE / 4);
    for (i = get_local_id(0); i < HEAD_WORDS; i += get_local_size(0))
        out[i] = counts[i];
    for (i = get_local_id(0); i < PIXELS; i += get_local_size(0)) {
        float first = counts[HEAD_KIND] == KIND_PIECE ? state[i] : before[i];
        after[i] = first;
        out[HEAD_WORDS + i] = as_uint(state[i] - first);
    }
}
