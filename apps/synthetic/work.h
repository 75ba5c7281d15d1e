/*
 * work.h: what Producer and Consumer do with a token of `elements` 32-bit words, in C; producer.cl
 * and consumer.cl have the same in OpenCL C.
 */
#ifndef SYNTHETIC_WORK_H
#define SYNTHETIC_WORK_H

#include <stdint.h>

/* `work` rounds of arithmetic for each word; none of them can be left out. */
static inline void work_produce(uint32_t *out, long elements, uint32_t seed, long work)
{
    long i, k;

    for (i = 0; i < elements; i++)
        out[i] = seed + (uint32_t)i;
    for (k = 0; k < work; k++)
        for (i = 0; i < elements; i++)
            out[i] = (out[i] ^ out[i] >> 15) * 2654435761u;
}

/* Reads every word once. */
static inline uint32_t work_consume(const uint32_t *in, long elements)
{
    uint32_t sum = 0;
    long i;

    for (i = 0; i < elements; i++)
        sum += in[i] + 1;
    return sum;
}

/* The sum over all that Consumer found, in order. */
#define WORK_SUM_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t work_sum(uint64_t sum, uint32_t result)
{
    return (sum ^ result) * UINT64_C(0x100000001b3);
}

#endif
