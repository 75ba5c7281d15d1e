/* Spread: a token out of a number. */
#include "steps.h"

__kernel void Spread(__global const uint *in, __global uint *out)
{
    size_t firing = get_group_id(0);
    uint seed = in[firing];
    __global uint *to = out + firing * WORDS;

    SPREAD_WORDS(seed, to);
}
