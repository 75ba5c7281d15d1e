/* Gather: a number out of a token. */
#include "steps.h"

__kernel void Gather(__global const uint *in, __global uint *out)
{
    size_t firing = get_group_id(0);
    __global const uint *from = in + firing * WORDS;

    if (get_local_id(0) == get_local_size(0) - 1)
        out[firing] = GATHERED(from);
}
