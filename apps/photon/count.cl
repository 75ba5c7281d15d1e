/*
 * Count: photons of a strip in all frames of a block, as in count.h and with the same bytes.
 *
 * A work-group is one firing; its work-items share the pixels.
 */
#include "photon.h"

__kernel void Count(__global const uint *in, __global uint *out)
{
    size_t firing = get_group_id(0);
    int i, f;

    in += firing * VAR_frames * (TOKEN_in_SIZE / 4);
    out += firing * (TOKEN_out_SIZE / 4);
    for (i = get_local_id(0); i < HEAD_WORDS; i += get_local_size(0))
        out[i] = in[i];
    for (i = get_local_id(0); i < PIXELS; i += get_local_size(0)) {
        uint sum = 0;
        for (f = 0; f < VAR_frames; f++) {
            float energy = as_float(in[f * (TOKEN_in_SIZE / 4) + HEAD_WORDS + i]);
            float photons = (energy + 0.5f * PHOTON) * (1.0f / PHOTON);
            sum += (uint)(int)min(max(photons, 0.0f), 65535.0f);
        }
        out[HEAD_WORDS + i] = sum;
    }
    for (i = PIXELS + get_local_id(0); i < PIXELS + VAR_rows; i += get_local_size(0)) {
        uint invalid = 0;
        for (f = 0; f < VAR_frames; f++)
            invalid += in[f * (TOKEN_in_SIZE / 4) + HEAD_WORDS + i];
        out[HEAD_WORDS + i] = invalid;
    }
}
