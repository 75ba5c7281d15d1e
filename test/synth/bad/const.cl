__kernel void Middle(__global const int *in,
                     __global const int *out)
{
}
