__kernel void Middle(__global const int *in[4],
                     int *out)
{
}
