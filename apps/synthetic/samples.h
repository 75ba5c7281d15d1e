/* samples.h: the samples that parts are measured with, for networks and for loops by hand. */
#ifndef SYNTHETIC_SAMPLES_H
#define SYNTHETIC_SAMPLES_H

#include <stdint.h>
#include <string.h>

/* Fills a block with numbers from -1 to 1. */
static inline void samples_fill(float *block, int count)
{
    uint32_t state = 1;
    int i;

    for (i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        block[i] = (float)(int32_t)state / 2147483648.0f;
    }
}

/* Writes block number `number`: all are alike but for the first sample. */
static inline void samples_write(float *out, const float *block, int count, long number)
{
    memcpy(out, block, (size_t)count * sizeof(*out));
    out[0] = (float)(number % 256) / 256.0f;
}

/* Adds up words of 32 bits, as of samples. */
static inline uint32_t samples_sum(const void *in, int count)
{
    uint32_t sum = 0, bits;
    int i;

    for (i = 0; i < count; i++) {
        memcpy(&bits, (const char *)in + sizeof(bits) * (size_t)i, sizeof(bits));
        sum += bits;
    }
    return sum;
}

#endif
