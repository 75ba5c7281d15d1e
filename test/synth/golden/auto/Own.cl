/* Kernel of process Own, from own.cl: the arguments are made a buffer and an offset a port. */
#ifndef DAL_LOCAL_VARIABLE
#define DAL_LOCAL_VARIABLE    __local
#define DAL_CONSTANT_VARIABLE __constant
#endif
#pragma OPENCL FP_CONTRACT OFF
#line 1 "own.cl"
kernel __attribute__((reqd_work_group_size(2, 1, 1))) void
Own(__global const uchar *dal__base_in, ulong dal__offset_in, __global uchar *dal__base_out, ulong dal__offset_out)
{ global const int *in = (global const int *)(dal__base_in + dal__offset_in); global int *out = (global int *)(dal__base_out + dal__offset_out);
    int2 pair = vload2(get_global_id(0), in);

    vstore2(pair + 1, get_global_id(0), out);
}
