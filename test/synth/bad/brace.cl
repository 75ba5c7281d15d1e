__attribute__((reqd_work_group_size(1, 1, 1))) kernel void Middle(__global const int *in, __global int *out)
{
    out[0] = in[0];
