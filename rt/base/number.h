/* The lesser of two numbers, and their greatest common divisor; gcd(0, b) is b. */
#pragma once

#include <stdint.h>

static inline uint64_t dal_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t dal_gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}
