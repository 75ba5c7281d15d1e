__kernel void pass(__global const uint *in, __global uint *out)
{
    uint x = in[get_group_id(0)];
    int i;
    for (i = 0; i < STEPS; i++)
        x = 1664525 * x + 1013904223 + (x >> 7);
    out[get_group_id(0)] = x;
}
