/* Passes on, after some ten milliseconds of work that no compiler foresees. */
__kernel void second(__global const uint *in, __global uint *out)
{
    size_t firing = get_group_id(0);
    uint value = in[firing], state = value | 1, i;
    for (i = 0; i < 20000000u; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
    }
    if (get_local_id(0) == 0)
        out[firing] = state ? value : 0;
}
