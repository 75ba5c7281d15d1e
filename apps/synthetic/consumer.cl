/* Consumer: as consumer.c and work.h; the work-items' sums meet in local memory. */
#define ELEMENTS (TOKEN_in_SIZE / 4)

#if VAR_lanes == 1
typedef uint words;
#define TOTAL(x) (x)
#elif VAR_lanes == 4
typedef uint4 words;
#define TOTAL(x) (x.s0 + x.s1 + x.s2 + x.s3)
#else
typedef uint16 words;
#define TOTAL(x)                                                                                   \
    (x.s0 + x.s1 + x.s2 + x.s3 + x.s4 + x.s5 + x.s6 + x.s7 + x.s8 + x.s9 + x.sa + x.sb + x.sc +     \
     x.sd + x.se + x.sf)
#endif

__kernel void Consumer(__global const uint *in, __global uint *out)
{
    __local uint part[VAR_items];
    size_t firing = get_group_id(0);
    __global const words *token = (__global const words *)(in + firing * ELEMENTS);
    uint item = get_local_id(0), total, i;
    words sum = 0;

    for (i = item; i < ELEMENTS / VAR_lanes; i += VAR_items)
        sum += token[i] + 1;
    total = TOTAL(sum);
    part[item] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
        for (i = 1; i < VAR_items; i++)
            total += part[i];
        out[firing] = total;
    }
}
