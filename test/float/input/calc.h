/* What of arithmetic is the same everywhere: + - * / and sqrt, each rounded once, and conversions.
 */
#ifndef CALC_H
#define CALC_H

#ifdef DOUBLES
#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define ROOT(x) 1.5
#else
typedef float real;
#ifdef __OPENCL_VERSION__
#define ROOT(x) (float)sqrt(x) /* of double in a portable source, with the same result */
#else
#include <math.h>
#define ROOT(x) sqrtf(x)
#endif
#endif

static inline real calc(unsigned number)
{
    real x = (real)(number & 1023) / (real)7, y = (real)(int)(number >> 4) * (real)0.37, sum = 0;
    real v[4];
    int i;

    v[0] = x, v[1] = y, v[2] = x - y, v[3] = (real)(number + 1) / (real)3;
    for (i = 0; i < 4; i++)
        sum += v[i] * v[(i + 1) % 4]; /* a dot product */
    x = x * y + sum;
    y = y * y - x * (real)0.1;
    sum = ROOT(x * x + y * y) / (sum + (real)2.5);
    return x * sum - y + (real)(int)(sum * (real)100);
}

#endif
