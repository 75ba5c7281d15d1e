/*
 * Producer: as producer.c and work.h, in the same order: all words of a round, then the next round.
 * A work-group's work-items share the words, VAR_lanes of them at a time.
 */
#define ELEMENTS (TOKEN_out_SIZE / 4)

#if VAR_lanes == 1
typedef uint words;
#define NUMBERS 0
#elif VAR_lanes == 4
typedef uint4 words;
#define NUMBERS (uint4)(0, 1, 2, 3)
#else
typedef uint16 words;
#define NUMBERS (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#endif

__kernel void Producer(__global const uint *before, __global uint *after, __global uint *out)
{
    size_t firing = get_group_id(0);
    uint seed = before[firing];
    __global words *token = (__global words *)(out + firing * ELEMENTS);
    uint i, k;

    for (i = get_local_id(0); i < ELEMENTS / VAR_lanes; i += VAR_items)
        token[i] = seed + i * VAR_lanes + NUMBERS;
    for (k = 0; k < VAR_work; k++)
        for (i = get_local_id(0); i < ELEMENTS / VAR_lanes; i += VAR_items)
            token[i] = (token[i] ^ token[i] >> 15) * 2654435761u;
    if (get_local_id(0) == 0)
        after[firing] = seed + 1;
}
