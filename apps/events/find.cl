/* Find, as a kernel: each work-item has a part of the block, and its peaks stand behind those of the
 * parts before. One work-group is one firing; `out` is the firing's own, since the port is counted. */
#include <dal_collectives.h>

#define DAL_WINDOW __global
#include "find.h"

DAL_COLLECTIVE(int, add);

__kernel void Find(__global const int *in, __global struct pulse *out, __global uint *out_count)
{
    const int items = (int)get_local_size(0), item = (int)get_local_id(0);
    const int part = (VAR_samples + items - 1) / items, from = item * part;
    const int to = from + part < VAR_samples ? from + part : VAR_samples;
    int mine = 0, place, all;
    DAL_SCRATCH(s);

    in += get_group_id(0) * VAR_samples;
    for (int i = from; i < to; i++)
        mine += is_peak(in, i);
    place = dal_group_exclusive_scan_add_int(mine, 0, s);
    all = dal_group_reduce_add_int(mine, s);
    for (int i = from; i < to; i++)
        if (is_peak(in, i) && place < TOKEN_out_RATE) {
            out[place].at = i;
            for (int k = 0; k < WIDE; k++)
                out[place].samples[k] = in[i + k - HALF];
            place++;
        }
    if (item == 0)
        *out_count = (uint)(all < TOKEN_out_RATE ? all : TOKEN_out_RATE);
}
