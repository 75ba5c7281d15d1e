/*
 * angle.h: by how much the carrier has turned from one sample to the next, in C and in kernels.
 *
 * The library's atan2 differs between processors (doc/explanation/floating-point.md). This one has
 * additions, multiplications and one division, so its bytes are the same everywhere. It is wrong by
 * 2e-7 at most.
 */
#ifndef RADIO_ANGLE_H
#define RADIO_ANGLE_H

#include "taps.h"

#define ATAN_TERMS 9

/* The angle from (re0, im0) to (re, im), where 1 is what 75 kHz turn it in 1/256000 s. */
static inline float angle(float re0, float im0, float re, float im)
{
    float x = re * re0 + im * im0, y = im * re0 - re * im0;
    float ax = x < 0.0f ? -x : x, ay = y < 0.0f ? -y : y;
    float more = ax > ay ? ax : ay, less = ax > ay ? ay : ax;
    float ratio = less / (more + 1e-30f), square = ratio * ratio;
    float sum = atan_terms[ATAN_TERMS - 1];
    int i;

#pragma GCC unroll 9
    for (i = ATAN_TERMS - 2; i >= 0; i--)
        sum = sum * square + atan_terms[i];
    sum = sum * ratio;
    sum = ay > ax ? 1.57079633f - sum : sum;
    sum = x < 0.0f ? 3.14159265f - sum : sum;
    sum = y < 0.0f ? -sum : sum;
    return sum * 0.543248924f; /* 256 / (2 pi 75) */
}

#endif
