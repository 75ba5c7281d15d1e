__kernel void Left(__global const int *in, __global int *out)
{
}
kernel void Right(global const int *in, global int *out)
{
}
