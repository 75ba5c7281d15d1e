/*
 * Tune: the station's samples at 256 kHz, as in tune.h and with the same bytes.
 *
 * A work-group is one firing, one block; its work-items share the outputs.
 */
#define RADIO_TABLE __constant
#include "radio.h"
#include "taps.h"

#define SAMPLES (DECIMATION * VAR_block)

/* Tap j's part of output m: x[4 m + 3 - j], turned by j quarters. */
static inline float2 part(__global const char2 *before, __global const char2 *in, int m, int j)
{
    int at = DECIMATION * m + DECIMATION - 1 - j;
    float2 x = convert_float2(at < 0 ? before[SAMPLES + at] : in[at]) * 0.0078125f + 0.00390625f;
    int turns = j & (DECIMATION - 1);

    x = turns & 1 ? (float2)(-x.y, x.x) : x;
    return turns & 2 ? -x : x;
}

__kernel void Tune(__global const char *before, __global const char *in, __global float *out)
{
    size_t firing = get_group_id(0);
    __global const char2 *then = (__global const char2 *)(before + firing * TOKEN_before_SIZE);
    __global const char2 *now = (__global const char2 *)(in + firing * TOKEN_in_SIZE);
    __global float *to = out + firing * 2 * VAR_block;
    int m, j;

    for (m = get_local_id(0); m < VAR_block; m += get_local_size(0)) {
        float2 sum = 0.0f;
        for (j = 0; j < TUNE_TAPS; j++)
            sum += tune_taps[j] * part(then, now, m, j);
        to[m] = sum.x;
        to[VAR_block + m] = sum.y;
    }
}
