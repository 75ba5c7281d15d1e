/* Kernel of process One, from one.cl: the arguments are made a buffer and an offset a port. */
#ifndef DAL_LOCAL_VARIABLE
#define DAL_LOCAL_VARIABLE    __local
#define DAL_CONSTANT_VARIABLE __constant
#endif
#pragma OPENCL FP_CONTRACT OFF
#line 1 "one.cl"
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void One(__global const uchar *dal__base_in, ulong dal__offset_in, __global uchar *dal__base_out, ulong dal__offset_out)
{ global const int *in = (global const int *)(dal__base_in + dal__offset_in); global int *out = (global int *)(dal__base_out + dal__offset_out);
    size_t i;

    for (i = 0; i < 8; i++)
        out[8 * get_group_id(0) + i] = in[8 * get_group_id(0) + i] + 1;
}
