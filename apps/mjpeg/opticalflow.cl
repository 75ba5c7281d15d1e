/*
 * Opticalflow: magnitude of the motion since the image before, as in flow.h and with the same
 * bytes.
 *
 * A work-group is one firing, one image; its work-items share the image tile by tile, sixteen
 * columns at a time: first the products' sums of each column, of two rows at once, which share four
 * of their five rows; then sums along the rows, and the equations. The columns' sums lie in local
 * memory, in at most 32 KiB. All sums are integers, exact in float, fused or not. What the
 * equations make of them is exact in double where the device has it and in 64-bit integers where
 * not (or with -D FLOW_INTEGERS), with the same result.
 */
#if defined(cl_khr_fp64) && !defined(FLOW_INTEGERS)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define FLOW_DOUBLE
#endif

#include "lanes.h"

#define RADIUS 2
#define TILE_H (8192 / 5 / PITCH / 2 * 2)
#define ONE    (TILE_H * PITCH) /* all sums of one kind */
#define IMAGE  (VAR_width * VAR_height)

/* A group's differences along a row. */
static inline float16 slope(__global const uchar *row, int group)
{
    uchar16 here = load_group(row, group);

    return convert_float16(convert_short16(load_right(row, group, here)) -
                           convert_short16(load_left(row, group, here)));
}

static inline float16 difference(__global const uchar *p, __global const uchar *q, int group)
{
    return convert_float16(convert_short16(load_group(p, group)) -
                           convert_short16(load_group(q, group)));
}

/* Products' sums over the first five of six rows, and over the last five. */
static inline void products(const float16 *p, const float16 *q, int group, __local float *to)
{
    float16 shared = p[1] * q[1] + p[2] * q[2] + p[3] * q[3] + p[4] * q[4];

    store_floats(shared + p[0] * q[0], to, group, RADIUS);
    store_floats(shared + p[5] * q[5], to + PITCH, group, RADIUS);
}

/* Of a group's columns, around the rows y and y + 1. */
static inline void down(__global const uchar *now, __global const uchar *before, int group, int y,
                        __local float *to)
{
    float16 u[6], v[6], w[6];
    int i;

#pragma unroll
    for (i = 0; i < 6; i++) {
        int row = clamp(y - RADIUS + i, 0, VAR_height - 1);
        __global const uchar *here = now + row * VAR_width;
        u[i] = slope(here, group);
        v[i] = difference(row < VAR_height - 1 ? here + VAR_width : here,
                          row > 0 ? here - VAR_width : here, group);
        w[i] = difference(here, before + row * VAR_width, group);
    }
    products(u, u, group, to);
    products(u, v, group, to + ONE);
    products(v, v, group, to + 2 * ONE);
    products(u, w, group, to + 3 * ONE);
    products(v, w, group, to + 4 * ONE);
}

/* Sums along a row. */
static inline float16 across(__local const float *sums)
{
    return load_floats(sums - 2) + load_floats(sums - 1) + load_floats(sums) +
           load_floats(sums + 1) + load_floats(sums + 2);
}

/* Of integers: 32 * numerator / det to the nearest one, halves to even, within -128..127. */
#ifdef FLOW_DOUBLE
typedef double16 wide;
#define EXACT(sum) convert_double16(sum)

static inline float16 part(wide numerator, wide det)
{
    return convert_float16(rint(clamp(32.0 * numerator / det, -128.0, 127.0)));
}
#else
typedef long16 wide;
#define EXACT(sum) convert_long16(sum)

static inline float16 part(wide numerator, wide det)
{
    /* a guess in float, at most 1 off, put right */
    float16 guess = convert_float16(numerator) * 32.0f / convert_float16(det);
    long16 r = convert_long16(rint(clamp(guess, -128.0f, 127.0f)));
    long16 rest = 2 * (32 * numerator - r * det);

    /* a comparison that holds is -1 */
    r -= (rest > det) | ((rest == det) & ((r & 1) == 1));
    rest = 2 * (32 * numerator - r * det);
    r += (rest < -det) | ((rest == -det) & ((r & 1) == 1));
    return convert_float16(clamp(r, -128L, 127L));
}
#endif

/* Whether a comparison holds anywhere; any() is sixteen branches on some devices. */
static inline int somewhere(int16 comparison)
{
    long4 four = as_long8(comparison).lo | as_long8(comparison).hi;

    return ((four.x | four.y) | (four.z | four.w)) != 0;
}

/* Rounds as rint() does below 2^22, and stays a vector operation everywhere. */
static inline float16 nearest(float16 x)
{
    return x + 12582912.0f - 12582912.0f;
}

/*
 * Sizes of the motion, 0 where the equations say nothing. Solved in float first: two conversions
 * (half an ulp each), a division (2.5 ulp, OpenCL C, relative error as ULPs) and a product are
 * within 4 * 2^-23 of the quotient, and below 129 that is 0.0001 at most. So what is further than
 * that from half-way between two integers is rounded to the right one; where any of sixteen is
 * nearer, all are divided exactly.
 */
static inline float16 solve(wide a, wide b, wide c, wide s, wide t)
{
    wide det = a * c - b * b, along = b * t - c * s, down = b * s - a * t;
    float16 size = convert_float16(det), scale = 32.0f / max(size, 1000.0f);
    float16 u = clamp(convert_float16(along) * scale, -128.0f, 127.0f);
    float16 v = clamp(convert_float16(down) * scale, -128.0f, 127.0f);
    float16 du = nearest(u), dv = nearest(v);

    if (somewhere(max(fabs(u - du), fabs(v - dv)) > 0.4999f)) {
        wide safe = max(det, (wide)1000);
        du = part(along, safe);
        dv = part(down, safe);
    }
    return select(sqrt(du * du + dv * dv) + 0.5f, (float16)0.0f, size < 1000.0f);
}

static inline uchar16 motion(__local const float *sums, float moved)
{
    float16 size =
        solve(EXACT(across(sums)), EXACT(across(sums + ONE)), EXACT(across(sums + 2 * ONE)),
              EXACT(across(sums + 3 * ONE)), EXACT(across(sums + 4 * ONE)));

    return convert_uchar16(convert_int16(size * moved));
}

__kernel void Opticalflow(__global const uchar *in, __global const uchar *previous,
                          __global uchar *out)
{
    __local float sums[5 * ONE];
    __global const uchar *now = in + get_group_id(0) * (size_t)TOKEN_in_SIZE;
    __global const uchar *before = previous + get_group_id(0) * (size_t)TOKEN_previous_SIZE;
    __global uchar *flow = out + get_group_id(0) * (size_t)TOKEN_out_SIZE;
    float moved = now[TOKEN_in_SIZE - 64] && before[TOKEN_previous_SIZE - 64] ? 1.0f : 0.0f;
    int item = get_local_id(0), items = get_local_size(0);
    int first, y0, k;

    for (y0 = 0; y0 < VAR_height; y0 += TILE_H) {
        int rows = min(TILE_H, VAR_height - y0);

        for (first = 0; first < ROW_GROUPS; first += WIDE) {
            for (k = item; k < (rows + 1) / 2 * PASSED; k += items) {
                int group = first - 1 + k % PASSED, y = k / PASSED * 2;
                if (group >= 0 && group < ROW_GROUPS)
                    down(now, before, group, y0 + y, sums + y * PITCH + COLUMN(group, first));
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (k = item; k < TILE_H * WIDE; k += items) {
                int group = first + k / TILE_H, y = k % TILE_H;
                if (group < ROW_GROUPS && y < rows)
                    store_group(motion(sums + y * PITCH + COLUMN(group, first), moved),
                                flow + (y0 + y) * VAR_width, group);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    for (k = item; k < TOKEN_out_SIZE - IMAGE; k += items)
        flow[IMAGE + k] = now[IMAGE + k];
}
