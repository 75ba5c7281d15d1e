/* Normalise: as normalise_portable.c, with the same bytes. */
#include <dal_collectives.h>

DAL_COLLECTIVE(float, add);
DAL_COLLECTIVE(float, max);

__kernel void Normalise(__global const float *in, __global float *out)
{
    DAL_SCRATCH(s);
    float mean, largest;

    in += get_group_id(0) * VAR_samples;
    out += get_group_id(0) * VAR_samples;
    mean = dal_joint_reduce_add_float(in, VAR_samples, 0, s) / VAR_samples;
    largest = dal_joint_reduce_max_float(in, VAR_samples, in[0], s);
    for (int i = get_local_id(0); i < VAR_samples; i += get_local_size(0))
        out[i] = (in[i] - mean) / (largest - mean);
}
