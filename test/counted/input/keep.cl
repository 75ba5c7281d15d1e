/* Of several work-items, the last does it: any may. Returns early where there is nothing. */
__kernel void Keep(uint in_count, __global uint *out_count, __global const uint *in, __global uint *out)
{
    uint kept = 0;

    if (get_local_id(0) + 1 < get_local_size(0))
        return;
    *out_count = 0;
    if (in_count == 0)
        return;
    for (uint i = 0; i < in_count; i++)
        if (in[i] % 3 != 0)
            out[kept++] = in[i];
    for (uint i = 0; i < in_count; i++)
        if (in[i] == (uint)VAR_wrong)
            kept = VAR_bound + 1 + i;
    *out_count = kept;
}
