__kernel void Middle(__global const int *in, __global int *out
