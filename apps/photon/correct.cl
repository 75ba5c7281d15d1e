/*
 * Correct: energies, and pedestals that move, as in correct.h and with the same bytes.
 *
 * A work-group is one firing; its work-items share the pixels of the strip. A pixel's pedestals
 * stay with its work-item from frame to frame. The state is changed in place: `after` is `before`.
 */
#include "photon.h"

#define IN_WORDS  (TOKEN_in_SIZE / 4)
#define OUT_WORDS (TOKEN_out_SIZE / 4)
#define STATE     (TOKEN_before_SIZE / 4)

/* The state of a strip behind a block of pieces of the calibration. */
static inline void take_pieces(__global const uint *in, __global float *state)
{
    int n, first = in[HEAD_PIECE];

    for (n = get_local_id(0); n < PLANES * PIXELS; n += get_local_size(0)) {
        int f = n / (PIXELS / 2) - first;
        __global const uint *token = in + clamp(f, 0, VAR_frames - 1) * IN_WORDS;
        __global const float *piece = (__global const float *)(token + HEAD_WORDS);
        int there = f >= 0 && f < VAR_frames && token[HEAD_KIND] == KIND_PIECE;
        if (there)
            state[n] = piece[n % (PIXELS / 2)];
    }
}

/* One pixel of one frame; `at` is its place in all planes. */
static inline float convert(uint word, int at, float *ped, __global const float *state)
{
    int stage = word >> 14 == 3 ? 2 : word >> 14;
    float limit = state[(PLANE_LIMIT + stage) * PIXELS + at];
    float away = (float)(word & 0x3fff) - ped[stage];

    ped[stage] += away <= limit && -away <= limit ? away * STEP : 0.0f;
    return away * state[(PLANE_INVERSE + stage) * PIXELS + at];
}

/* A pixel in all frames of the block. */
static inline void convert_pixel(__global const uint *in, __global uint *out, __global float *state,
                                 int at)
{
    float ped[STAGES];
    int f, i;

    for (i = 0; i < STAGES; i++)
        ped[i] = state[(PLANE_PED + i) * PIXELS + at];
    for (f = 0; f < VAR_frames; f++) {
        __global const uint *token = in + f * IN_WORDS;
        __global uint *to = out + f * OUT_WORDS + HEAD_WORDS;
        uint word = ((__global const ushort *)(token + HEAD_WORDS))[at];
        int here = token[HEAD_KIND] == KIND_FRAME, invalid = word >> 14 == 2;
        ((__global float *)to)[at] = here && !invalid ? convert(word, at, ped, state) : 0.0f;
        if (here && invalid)
            atomic_inc((volatile __global uint *)to + PIXELS + at / VAR_width);
    }
    for (i = 0; i < STAGES; i++)
        state[(PLANE_PED + i) * PIXELS + at] = ped[i];
}

__kernel void Correct(__global const uint *in, __global const float *before, __global uint *out,
                      __global float *after)
{
    size_t firing = get_group_id(0);
    int item = get_local_id(0), items = get_local_size(0), i, f;

    in += firing * VAR_frames * IN_WORDS;
    out += firing * VAR_frames * OUT_WORDS;
    after += firing * STATE;
    for (f = 0; f < VAR_frames; f++) {
        for (i = item; i < HEAD_WORDS; i += items)
            out[f * OUT_WORDS + i] = in[f * IN_WORDS + i];
        for (i = item; i < VAR_rows; i += items)
            out[f * OUT_WORDS + HEAD_WORDS + PIXELS + i] = 0;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (i = item; i < PIXELS; i += items)
        convert_pixel(in, out, after, i);
    if (in[HEAD_KIND] == KIND_PIECE) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        take_pieces(in, after);
    }
}
