/*
 * Resample: bands of the multiplex at 48 kHz, as in resample.h and with the same bytes.
 *
 * The kernel is called for each phase of a firing, with the phase's blocks: it writes one. The
 * work-items share the outputs.
 */
#define RADIO_TABLE __constant
#include "radio.h"
#include "taps.h"

/* LANES floats. vload16 goes element by element on some devices. */
struct __attribute__((packed, aligned(4))) floats {
    float16 lanes;
};

/* LANES inputs, the first at `at` in `in`; what is in front of that ends at `before`. */
static inline float16 load(__global const float *before, __global const float *in, int at)
{
    float part[LANES];
    int l;

    if (at >= 0)
        return ((__global const struct floats *)(in + at))->lanes;
    if (at + LANES <= 0)
        return ((__global const struct floats *)(before + at))->lanes;
    for (l = 0; l < LANES; l++)
        part[l] = at + l < 0 ? before[at + l] : in[at + l];
    return vload16(0, part);
}

static inline float16 weigh(int tap, float16 x)
{
    return ((__constant const struct floats *)(resample_taps + tap))->lanes * x;
}

static inline float add(float16 x)
{
    float8 eight = x.lo + x.hi;
    float4 four = eight.lo + eight.hi;

    return (four.x + four.z) + (four.y + four.w);
}

/* One output of each stream; its oldest input is at `at`. */
static inline void resample(__global const float *before, __global const float *in, int at, int tap,
                            __global float *out)
{
    float16 s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f, s4 = 0.0f;
    int c;

    for (c = 0; c < PHASE_TAPS; c += LANES) {
        float16 x = load(before, in, at + c);
        s0 += weigh(tap + c, x);
        s1 += weigh(tap + PHASE_TAPS + c, x);
        s2 += weigh(tap + 2 * PHASE_TAPS + c, x);
        s3 += weigh(tap + 3 * PHASE_TAPS + c, x);
        s4 += weigh(tap + 4 * PHASE_TAPS + c, x);
    }
    out[0] = add(s0);
    out[VAR_block] = add(s1);
    out[2 * VAR_block] = add(s2);
    out[3 * VAR_block] = add(s3);
    out[4 * VAR_block] = add(s4);
}

__kernel void Resample(__global const float *before, __global const float *in, __global float *out,
                       int DAL_PHASE)
{
    int start = RESAMPLE_START(DAL_PHASE, VAR_block), k;

    for (k = get_local_id(0); k < VAR_block; k += get_local_size(0))
        resample(before + TOKEN_before_RATE * VAR_block, in, start + k * DOWN / UP,
                 k % UP * STREAMS * PHASE_TAPS, out + k);
}
