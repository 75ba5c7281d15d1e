__kernel void End(__global const uint2 *in, uint in_count, __global uchar *out)
{
    out[get_group_id(0)] = (uchar)in_count;
}
