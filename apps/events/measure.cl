/* Measure, as a kernel. It reads the count where Find has written it: the host has no part in that. */
#include <dal_collectives.h>

#define DAL_WINDOW __global
#include "measure.h"

DAL_COLLECTIVE(int, add);

__kernel void Measure(__global const struct pulse *in, uint in_count, __global struct event *out,
                      __global uint *out_count)
{
    const int items = (int)get_local_size(0), item = (int)get_local_id(0), count = (int)in_count;
    const int part = (count + items - 1) / items, from = item * part;
    const int to = from + part < count ? from + part : count;
    int mine = 0, place, all;
    DAL_SCRATCH(s);

    for (int i = from; i < to; i++)
        mine += is_event(&in[i]);
    place = dal_group_exclusive_scan_add_int(mine, 0, s);
    all = dal_group_reduce_add_int(mine, s);
    for (int i = from; i < to; i++)
        if (is_event(&in[i])) {
            out[place].at = in[i].at;
            out[place].height = in[i].samples[HALF];
            out[place].area = area_of(&in[i]);
            out[place++].centre = centre_of(&in[i]);
        }
    if (item == 0)
        *out_count = (uint)all;
}
