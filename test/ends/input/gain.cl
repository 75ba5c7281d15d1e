__kernel void Gain(__global const float *in, __global float *out, int by)
{
    size_t firing = get_group_id(0);
    if (get_local_id(0) == 0)
        for (int i = 0; i < 64; i++)
            out[64 * firing + i] = in[64 * firing + i] * (float)by;
}
