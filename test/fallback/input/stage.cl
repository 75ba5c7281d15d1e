#define SHARED __local // memory
__kernel void stage(__global const int *in, __global int *out)
{
    size_t at = 2 * get_group_id(0);
#ifdef MUCH
    SHARED int much[MUCH / 2], *first = much, (more)[MUCH / 2];
#ifdef NEVER
    __local double never[MUCH];
#endif
    int __local *const second = more;
    uint place = (uint)in[at] % (MUCH / 2);
    first[place] = in[at];
    second[place] = in[at + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[at] = 3 * much[place] - more[place];
#else
    out[at] = 3 * in[at] - in[at + 1];
#endif
    out[at + 1] = in[at + 1] ^ 21;
}
