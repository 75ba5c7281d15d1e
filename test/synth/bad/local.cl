__kernel void Middle(__constant int *in,
                     __local int *out)
{
}
