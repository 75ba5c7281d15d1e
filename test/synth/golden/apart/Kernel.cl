/* Kernel of process Kernel, from pass.cl: the arguments are made a buffer and an offset a port. */
#pragma OPENCL FP_CONTRACT OFF
#line 1 "pass.cl"
kernel __attribute__((reqd_work_group_size(4, 1, 1))) void pass(__global const uchar *dal__base_in, ulong dal__offset_in, __global uchar *dal__base_out, ulong dal__offset_out)
{ global const int *in = (__global void *)(dal__base_in + dal__offset_in); global int *out = (__global void *)(dal__base_out + dal__offset_out);
    out[get_global_id(0)] = in[get_global_id(0)] + 1;
}
