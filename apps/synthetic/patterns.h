/*
 * patterns.h: which columns a column reads from, step by step; the patterns of Task Bench
 * (Slaughter et al. 2020), each with the column's own value besides. For the network that dalbench
 * makes of a pattern, and for the program without dal.
 */
#ifndef SYNTHETIC_PATTERNS_H
#define SYNTHETIC_PATTERNS_H

#include <stdint.h>

enum pattern {
    PATTERN_INDEPENDENT, /* nothing */
    PATTERN_STENCIL,     /* both neighbours */
    PATTERN_FFT,         /* two columns, whose distance doubles with each step of a cycle */
    PATTERN_TREE,        /* the parent in a binary tree */
    PATTERN_NEAREST, /* by chance some of those that are no further than two, in cycles of three */
    PATTERNS
};

enum { PATTERN_RADIUS = 2, PATTERN_CYCLE = 3 };

/* Returns the steps of a cycle. */
static inline int pattern_phases(enum pattern pattern, int columns)
{
    int phases = 1;

    if (pattern == PATTERN_NEAREST)
        return PATTERN_CYCLE;
    while (pattern == PATTERN_FFT && (2 << phases) <= columns)
        phases++;
    return phases;
}

/* Returns whether chance has one column read from another in a phase. */
static inline int pattern_chance(int phase, int to, int from)
{
    uint32_t x = (uint32_t)(phase * 65536 + to * 256 + from + 1);
    int k;

    for (k = 0; k < 3; k++)
        x = (x ^ x >> 15) * 2654435761u;
    return x >> 31 & 1;
}

/* Returns whether column `to` reads in a phase what column `from` had in the step before. */
static inline int pattern_reads(enum pattern pattern, int phase, int to, int from)
{
    int distance = to > from ? to - from : from - to;

    if (distance == 0)
        return 0;
    switch (pattern) {
    case PATTERN_STENCIL:
        return distance == 1;
    case PATTERN_FFT:
        return distance == 1 << phase;
    case PATTERN_TREE:
        return from == to / 2;
    case PATTERN_NEAREST:
        return distance <= PATTERN_RADIUS && pattern_chance(phase, to, from);
    default:
        return 0;
    }
}

/* What a task computes of its own value, and of the others in order. */
static inline uint32_t pattern_begin(uint32_t own, int column)
{
    return own + (uint32_t)column + 1;
}

static inline uint32_t pattern_mix(uint32_t value, uint32_t read)
{
    return value * 31 + read;
}

#endif
