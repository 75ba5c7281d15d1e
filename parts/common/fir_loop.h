/* fir_loop.h: the sum of products of filters, for many outputs side by side. */
#ifndef PARTS_FIR_LOOP_H
#define PARTS_FIR_LOOP_H

/* Outputs whose sums stay in registers: of 16 bytes, of 32. */
enum { FIR_SIDE = 32, FIR_AVX2_SIDE = 64 };

/* Adds the products for `side` outputs, in the order of the taps. So every processor and every
 * length of vectors has the same sums. */
static inline __attribute__((always_inline)) void fir_side(float *out, const float *in, int side,
                                                           const float *taps, int count, int step)
{
    float sum[FIR_AVX2_SIDE];

    for (int i = 0; i < side; i++)
        sum[i] = 0;
    for (int k = 0; k < count; k++) {
        const float *from = in - (long)k * step;
        for (int i = 0; i < side; i++)
            sum[i] += taps[k] * from[i];
    }
    for (int i = 0; i < side; i++)
        out[i] += sum[i];
}

static inline __attribute__((always_inline)) void
fir_all(float *out, const float *in, int length, int side, const float *taps, int count, int step)
{
    int i = 0;

    for (; i + side <= length; i += side)
        fir_side(out + i, in + i, side, taps, count, step);
    if (i < length)
        fir_side(out + i, in + i, length - i, taps, count, step);
}

#if defined(__x86_64__) && defined(__GNUC__)
static __attribute__((noinline, target("avx2"))) void
fir_avx2(float *out, const float *in, int length, const float *taps, int count, int step)
{
    fir_all(out, in, length, FIR_AVX2_SIDE, taps, count, step);
}
#endif

/* Adds to `length` outputs: out[i] += sum over k of taps[k] * in[i - k * step]. So
 * (count - 1) * step values stand in front of in[0]. */
static inline void fir_add(float *out, const float *in, int length, const float *taps, int count,
                           int step)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2")) {
        fir_avx2(out, in, length, taps, count, step);
        return;
    }
#endif
    fir_all(out, in, length, FIR_SIDE, taps, count, step);
}

#endif
