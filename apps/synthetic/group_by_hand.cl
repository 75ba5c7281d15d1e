/* The eight kernels of group.xml as one, written by hand. A token stays in local memory. */
#include "steps.h"

#if VAR_items > 1
#define MEET barrier(CLK_LOCAL_MEM_FENCE)
#else
#define MEET
#endif

#define ALL_STEPS(seed, result)                                                                    \
    do {                                                                                           \
        SPREAD_WORDS(seed, a);                                                                     \
        MEET;                                                                                      \
        ADD_WORDS(a, b);                                                                           \
        MEET;                                                                                      \
        ADD_WORDS(b, a);                                                                           \
        MEET;                                                                                      \
        ADD_WORDS(a, b);                                                                           \
        MEET;                                                                                      \
        ADD_WORDS(b, a);                                                                           \
        MEET;                                                                                      \
        ADD_WORDS(a, b);                                                                           \
        MEET;                                                                                      \
        ADD_WORDS(b, a);                                                                           \
        MEET;                                                                                      \
        if (get_local_id(0) == get_local_size(0) - 1)                                                                  \
            (result) = GATHERED(a);                                                                \
        MEET;                                                                                      \
    } while (0)

/* A work-group for each token. */
__kernel void Fused(__global const uint *in, __global uint *out)
{
    __local uint a[WORDS], b[WORDS];
    size_t token = get_group_id(0);
    uint seed = in[token];

    ALL_STEPS(seed, out[token]);
}

/* The schedule stays on the device: a work-group does a run of the tokens. */
__kernel void Loop(__global const uint *in, __global uint *out, uint tokens)
{
    __local uint a[WORDS], b[WORDS];
    size_t groups = get_num_groups(0), token = tokens * get_group_id(0) / groups;
    size_t end = tokens * (get_group_id(0) + 1) / groups;

    for (; token < end; token++) {
        uint seed = in[token];
        ALL_STEPS(seed, out[token]);
    }
}
