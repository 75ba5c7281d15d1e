/* As sum.c. */
__kernel void Sum(__global const ulong *in, __global ulong *out, __global ulong *back)
{
    size_t i = get_group_id(0);
    out[i] = in[i];
    back[i] = in[i] >> 7;
}
