/*
 * Resample: bands of the multiplex at 48 kHz, as in resample.h and with the same bytes.
 *
 * A work-group is one firing, three blocks of outputs; its work-items share the outputs.
 */
#define RADIO_TABLE __constant
#include "radio.h"
#include "taps.h"

#define OUTPUTS (UP * VAR_block)
#define INPUTS  (DOWN * VAR_block)

/* vload16 goes element by element on some devices. */
struct __attribute__((packed, aligned(4))) floats {
    float16 lanes;
};

static inline float16 load(__global const float *before, __global const float *in, int at)
{
    float part[LANES];
    int l;

    if (at >= 0)
        return ((__global const struct floats *)(in + at))->lanes;
    if (at + LANES <= 0)
        return ((__global const struct floats *)(before + INPUTS + at))->lanes;
    for (l = 0; l < LANES; l++)
        part[l] = at + l < 0 ? before[INPUTS + at + l] : in[at + l];
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

__kernel void Resample(__global const float *before, __global const float *in, __global float *out)
{
    size_t firing = get_group_id(0);
    __global const float *then = before + firing * INPUTS, *now = in + firing * INPUTS;
    int k, c;

    for (k = get_local_id(0); k < OUTPUTS; k += get_local_size(0)) {
        __global float *to = out + firing * STREAMS * OUTPUTS + k / VAR_block * STREAMS * VAR_block +
                             k % VAR_block;
        int first = k * DOWN / UP - (PHASE_TAPS - 1), tap = k % UP * STREAMS * PHASE_TAPS;
        float16 s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f, s4 = 0.0f;
        for (c = 0; c < PHASE_TAPS; c += LANES) {
            float16 x = load(then, now, first + c);
            s0 += weigh(tap + c, x);
            s1 += weigh(tap + PHASE_TAPS + c, x);
            s2 += weigh(tap + 2 * PHASE_TAPS + c, x);
            s3 += weigh(tap + 3 * PHASE_TAPS + c, x);
            s4 += weigh(tap + 4 * PHASE_TAPS + c, x);
        }
        to[0] = add(s0);
        to[VAR_block] = add(s1);
        to[2 * VAR_block] = add(s2);
        to[3 * VAR_block] = add(s3);
        to[4 * VAR_block] = add(s4);
    }
}
