/* Add: adds one to every word of a token. */
#include "steps.h"

__kernel void Add(__global const uint *in, __global uint *out)
{
    size_t firing = get_group_id(0);
    __global const uint *from = in + firing * WORDS;
    __global uint *to = out + firing * WORDS;

    ADD_WORDS(from, to);
}
