#include "lane.h" /* taken in */
#include "lane.h"

/* Not a kernel: __kernel void Lane(__global int *in) { } */
__kernel void other(__global int *x)
{
    x[0] = 0;
}

__kernel void
Lane(__global int *restrict out, /* a port's order is not the argument's */
     __global const volatile int *in)
{
    size_t at = get_group_id(0) * WORDS + get_local_id(0);

    if (get_local_id(0) < WORDS)
        out[at] = copy(in[at]); // "??/" and \ stay as they are
}
