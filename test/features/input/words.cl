/* As words.c. Its words can be passed in registers, but for those of phases, packets, states and
 * newest tokens. */
#ifdef COUNTED
#define COUNT in_count
#define FIRST 0
#else
#define COUNT TOKEN_in_RATE
#define FIRST (get_group_id(0) * TOKEN_in_RATE)
#endif

__kernel void words(__global const uint *in, __global uint *out, __global const uint *odd
#ifdef COUNTED
                    ,
                    uint in_count
#endif
#ifdef COUNTS
                    ,
                    __global uint *out_count
#endif
#ifdef STATE
                    ,
                    __global const uint *before, __global uint *after
#endif
#ifdef NEWEST
                    ,
                    __global const uint *latest, __global uint *last
#endif
#ifdef PHASED
                    ,
                    int DAL_PHASE
#endif
)
{
    uint more = 0;
#ifdef COUNTS
    *out_count = in_count;
#endif
#ifdef STATE
    more = before[get_group_id(0)];
    after[get_group_id(0)] = more * 3 + in[get_group_id(0) * TOKEN_in_RATE];
#endif
#ifdef NEWEST
    more = *latest;
    *last = more + in[0];
#endif
    for (size_t i = get_local_id(0); i < COUNT; i += get_local_size(0))
        out[FIRST + i] = in[FIRST + i] * 31 + odd[in[FIRST + i] % 3] + more;
}
