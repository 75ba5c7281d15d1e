__kernel void Relay(__global const long *in, __global long *out)
{
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = in[get_group_id(0)];
}
