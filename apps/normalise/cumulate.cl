/* Cumulate: as cumulate_portable.c, with the same bytes. */
#include <dal_collectives.h>

DAL_COLLECTIVE(float, add);

__kernel void Cumulate(__global const float *in, __global float *out)
{
    const size_t from = get_group_id(0) * VAR_samples;
    DAL_SCRATCH(s);

    dal_joint_inclusive_scan_add_float(in + from, out + from, VAR_samples, s);
}
