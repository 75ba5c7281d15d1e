/* Relay: passes tokens on; a work-group's work-items share the words. */
#define ELEMENTS (TOKEN_in_SIZE / 16)

__kernel void Relay(__global const uint4 *in, __global uint4 *out)
{
    size_t firing = get_group_id(0);
    uint i;

    for (i = get_local_id(0); i < ELEMENTS; i += VAR_items)
        out[firing * ELEMENTS + i] = in[firing * ELEMENTS + i];
}
