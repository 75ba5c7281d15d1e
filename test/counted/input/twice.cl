__kernel void Twice(__global const uint *in, __global uint2 *out, uint in_count, __global uint *out_count)
{
    for (uint i = get_local_id(0); i < 2 * in_count; i += get_local_size(0))
        out[i] = (uint2)(in[i / 2], i);
    if (get_local_id(0) == 0)
        *out_count = 2 * in_count;
}
