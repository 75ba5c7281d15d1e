#ifdef CONTRACT
#pragma OPENCL FP_CONTRACT ON
#endif
#include "calc.h"
__kernel void calc_all(__global const uint *in, __global real *out)
{
    size_t firing = get_group_id(0);
    if (get_local_id(0) == 0)
        out[firing] = calc(in[firing]);
}
