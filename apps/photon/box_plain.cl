/*
 * Box: means with all pixels of the box added up for each pixel.
 *
 * A work-group is one firing, one frame; its work-items share the pixels.
 */
#include "box.h"

__kernel void Box(__global const ushort *in, __global float *out)
{
    int pixels = VAR_width * VAR_height, n, i, j;
    size_t firing = get_group_id(0);

    in += firing * pixels;
    out += firing * pixels;
    for (n = get_local_id(0); n < pixels; n += get_local_size(0)) {
        int x = n % VAR_width, y = n / VAR_width, sum = 0;
        for (i = max(y - VAR_radius, 0); i <= min(y + VAR_radius, VAR_height - 1); i++)
            for (j = max(x - VAR_radius, 0); j <= min(x + VAR_radius, VAR_width - 1); j++)
                sum += BOX_ADC(in[i * VAR_width + j]);
        out[n] = (float)sum * BOX_PART;
    }
}
