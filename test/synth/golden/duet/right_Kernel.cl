/* Kernel of process Kernel, from pass.cl: the arguments are made a buffer and an offset a port. */
#define TOKEN_in_SIZE  16
#define TOKEN_in_RATE  1
#define BLOCK_in_SIZE  1
#define BLOCK_in_COUNT 1

#define TOKEN_out_SIZE  16
#define TOKEN_out_RATE  1
#define BLOCK_out_SIZE  1
#define BLOCK_out_COUNT 1

#define VAR_kernels 5

#pragma OPENCL FP_CONTRACT OFF
#line 1 "pass.cl"
kernel __attribute__((reqd_work_group_size(4, 1, 1))) void pass(__global const uchar *dal_base_in, ulong dal_offset_in, __global uchar *dal_base_out, ulong dal_offset_out)
{ global const int *in = (global const int *)(dal_base_in + dal_offset_in); global int *out = (global int *)(dal_base_out + dal_offset_out);
    out[get_global_id(0)] = in[get_global_id(0)] + 1;
}
