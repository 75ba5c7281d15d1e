__kernel void late_d(__global const int *i, __global int *o)
{
    o[get_group_id(0)] = i[get_group_id(0)] * 10;
}
