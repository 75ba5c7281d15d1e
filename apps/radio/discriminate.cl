/* Discriminate: the multiplex, which is the station's frequency, as in angle.h. A work-group is one
 * firing, one block; its work-items share the samples. */
#define RADIO_TABLE __constant
#include "angle.h"

__kernel void Discriminate(__global const float *before, __global const float *in,
                           __global float *out)
{
    size_t firing = get_group_id(0);
    __global const float *then = before + firing * 2 * VAR_block;
    __global const float *re = in + firing * 2 * VAR_block, *im = re + VAR_block;
    __global float *to = out + firing * VAR_block;
    int m;

    for (m = get_local_id(0); m < VAR_block; m += get_local_size(0)) {
        float re0 = m > 0 ? re[m - 1] : then[VAR_block - 1];
        float im0 = m > 0 ? im[m - 1] : then[2 * VAR_block - 1];
        to[m] = angle(re0, im0, re[m], im[m]);
    }
}
