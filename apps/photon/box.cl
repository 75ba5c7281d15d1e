/*
 * Box: means with a sum that runs along the row: a column comes in, another one goes out.
 *
 * A work-group is one firing, one frame; its work-items share the rows.
 */
#include "box.h"

static inline int column(__global const ushort *in, int x, int y)
{
    int sum = 0, i;

    for (i = max(y - VAR_radius, 0); x >= 0 && x < VAR_width && i <= min(y + VAR_radius, VAR_height - 1); i++)
        sum += BOX_ADC(in[i * VAR_width + x]);
    return sum;
}

__kernel void Box(__global const ushort *in, __global float *out)
{
    size_t pixels = VAR_width * VAR_height, firing = get_group_id(0);
    int x, y;

    in += firing * pixels;
    out += firing * pixels;
    for (y = get_local_id(0); y < VAR_height; y += get_local_size(0)) {
        int sum = 0;
        for (x = -VAR_radius; x < VAR_width; x++) {
            sum += column(in, x + VAR_radius, y) - column(in, x - VAR_radius - 1, y);
            if (x >= 0)
                out[y * VAR_width + x] = (float)sum * BOX_PART;
        }
    }
}
