__kernel void Middle(
    __global const int *input,
    __global int *out)
{
}
