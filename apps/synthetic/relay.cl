/* Relay: passes tokens on. A work-group's work-items share the words, VAR_lanes of them at a time. */
#define ELEMENTS (TOKEN_in_SIZE / 4)

#if VAR_lanes == 1
typedef uint words;
#elif VAR_lanes == 4
typedef uint4 words;
#else
typedef uint16 words;
#endif

__kernel void Relay(__global const uint *in, __global uint *out)
{
    size_t firing = get_group_id(0);
    __global const words *from = (__global const words *)(in + firing * ELEMENTS);
    __global words *to = (__global words *)(out + firing * ELEMENTS);
    uint i;

    for (i = get_local_id(0); i < ELEMENTS / VAR_lanes; i += VAR_items)
        to[i] = from[i];
}
