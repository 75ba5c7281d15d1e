/* Kernel of process Lane, from lane.cl: the arguments are made a buffer and an offset a port. */
#ifndef DAL_LOCAL_VARIABLE
#define DAL_LOCAL_VARIABLE    __local
#define DAL_CONSTANT_VARIABLE __constant
#endif
#pragma OPENCL FP_CONTRACT OFF
#line 1 "lane.cl"
#line 1 "lane.h"
       


int copy(int x)
{
    return x;
}
#line 2 "lane.cl"



__kernel void other(__global int *x)
{
    x[0] = 0;
}

__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void
Lane(__global const volatile uchar *dal__base_in, ulong dal__offset_in, __global uchar *dal__base_out, ulong dal__offset_out
)
{ __global int *restrict out = (__global int *restrict )(dal__base_out + dal__offset_out); __global const volatile int *in = (__global const volatile int *)(dal__base_in + dal__offset_in);
    size_t at = get_group_id(0) * (32 / 4) + get_local_id(0);

    if (get_local_id(0) < (32 / 4))
        out[at] = copy(in[at]);
}
