__kernel void around_a(__global const int *i, __global int *o)
{
    o[get_group_id(0)] = i[get_group_id(0)];
}
