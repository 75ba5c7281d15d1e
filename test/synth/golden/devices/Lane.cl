/* Kernel of process Lane, from lane.cl: the arguments are made a buffer and an offset a port. */
#define TOKEN_in_SIZE  32
#define TOKEN_in_RATE  1
#define BLOCK_in_SIZE  1
#define BLOCK_in_COUNT 1

#define TOKEN_out_SIZE  32
#define TOKEN_out_RATE  1
#define BLOCK_out_SIZE  1
#define BLOCK_out_COUNT 1

#define VAR_lanes 2
#define VAR_row   8
#define VAR_shift (-3)

#pragma OPENCL FP_CONTRACT OFF
#line 1 "lane.cl"
#line 1 "lane.h"

#define WORDS (TOKEN_in_SIZE / 4)

int copy(int x)
{
    return x;
}
#line 2 "lane.cl"


/* Not a kernel: __kernel void Lane(__global int *in) { } */
__kernel void other(__global int *x)
{
    x[0] = 0;
}

__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void
Lane(__global const volatile uchar *dal_base_in, ulong dal_offset_in, __global uchar *dal_base_out, ulong dal_offset_out
)
{ __global const volatile int *in = (__global const volatile int *)(dal_base_in + dal_offset_in); __global int * restrict out = (__global int *)(dal_base_out + dal_offset_out);
    size_t at = get_group_id(0) * WORDS + get_local_id(0);

    if (get_local_id(0) < WORDS)
        out[at] = copy(in[at]); // "??/" and \ stay as they are
}
