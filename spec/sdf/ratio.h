/* Exact ratios of firings. Internal to spec/sdf_*.c. */
#ifndef DAL_SPEC_SDF_RATIO_H
#define DAL_SPEC_SDF_RATIO_H

#include "rt/base/gcd.h"

#include <stdint.h>

/* In lowest terms, never 0. */
struct dal__ratio {
    uint64_t over, under;
};

/* q * over / under. Returns non-zero when that has no representation in 64 bits. */
static inline int dal__scale(struct dal__ratio q, uint64_t over, uint64_t under,
                             struct dal__ratio *result)
{
    uint64_t common = dal_gcd(over, under), left, right;
    over /= common;
    under /= common;
    left = dal_gcd(q.over, under);
    right = dal_gcd(over, q.under);
    return __builtin_mul_overflow(q.over / left, over / right, &result->over) ||
           __builtin_mul_overflow(q.under / right, under / left, &result->under);
}

#endif
