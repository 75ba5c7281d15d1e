/* Kernel of process Kernel, from pass.cl: the arguments are made a buffer and an offset a port. */
#ifndef DAL_LOCAL_VARIABLE
#define DAL_LOCAL_VARIABLE    __local
#define DAL_CONSTANT_VARIABLE __constant
#endif
#pragma OPENCL FP_CONTRACT OFF
#line 1 "pass.cl"
kernel __attribute__((reqd_work_group_size(4, 1, 1))) void dal__pass(__global const uchar *dal__base_in, ulong dal__offset_in, __global uchar *dal__base_out, ulong dal__offset_out)
{ global const int *in = (global const int *)(dal__base_in + dal__offset_in); global int *out = (global int *)(dal__base_out + dal__offset_out);
    out[get_global_id(0)] = in[get_global_id(0)] + 1;
}
