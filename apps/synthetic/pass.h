/*
 * pass.h: what the processes of firing.xml and cores.xml do with a token, for them and for programs
 * without a framework. `bytes` is a constant for the compiler wherever these are used, a multiple
 * of 4.
 */
#ifndef SYNTHETIC_PASS_H
#define SYNTHETIC_PASS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Fills token number `number`, every byte of it. */
static inline void pass_source(unsigned char *out, size_t bytes, uint32_t number)
{
    memset(out, (int)(number & 0xff), bytes);
    memcpy(out, &number, sizeof(number));
}

static inline void pass_identity(unsigned char *out, const unsigned char *in, size_t bytes)
{
    memcpy(out, in, bytes);
}

/* Adds one to every word. Both are as dal.h and a loop by hand align them: to a word at least. */
static inline void pass_increment(unsigned char *out, const unsigned char *in, size_t bytes)
{
    uint32_t *to = (uint32_t *)(void *)out;
    const uint32_t *from = (const uint32_t *)(const void *)in;
    size_t i;

    for (i = 0; i < bytes / sizeof(*to); i++)
        to[i] = from[i] + 1;
}

/* A step that needs the one before it. */
static inline uint32_t pass_work(uint32_t word, long steps)
{
    long k;

    for (k = 0; k < steps; k++)
        word = (word ^ word >> 15) * 2654435761u;
    return word;
}

/* Takes `steps` of them on the first word, and adds one to every other word. */
static inline void pass_step(unsigned char *out, const unsigned char *in, size_t bytes, long steps)
{
    uint32_t *to = (uint32_t *)(void *)out;
    const uint32_t *from = (const uint32_t *)(const void *)in;
    size_t i;

    to[0] = pass_work(from[0], steps);
    for (i = 1; i < bytes / sizeof(*to); i++)
        to[i] = from[i] + 1;
}

/* What a token adds to the sum. */
static inline uint64_t pass_sink(const unsigned char *in, size_t bytes)
{
    uint32_t first, last;

    memcpy(&first, in, sizeof(first));
    memcpy(&last, in + bytes - sizeof(last), sizeof(last));
    return (uint64_t)first + last;
}

#endif
