/*
 * Gauss: blur with a 15x15 window in two passes, with the same bytes as gauss.h.
 *
 * A work-group is one firing, one image; its work-items share the image tile by tile, sixteen
 * columns at a time: first the columns' sums, of two rows at once, which share fourteen of their
 * fifteen pixels; then sums along the rows. The columns' sums lie in local memory, in at most 32
 * KiB. They are integers below 2^16, the final ones below 2^24: exact in float, fused or not.
 */
#include "lanes.h"

#define RADIUS 7
#define TILE_H (8192 / PITCH / 2 * 2)
#define IMAGE  (VAR_width * VAR_height)

/* The weights 1 3 6 12 20 30 36 40 36 30 20 12 6 3 1; their sum is 256. */
#define SUM(at, type)                                                                              \
    ((at(0) + at(14)) + (at(1) + at(13)) * (type)3 + (at(2) + at(12)) * (type)6 +                  \
     (at(3) + at(11)) * (type)12 + (at(4) + at(10)) * (type)20 + (at(5) + at(9)) * (type)30 +      \
     (at(6) + at(8)) * (type)36 + at(7) * (type)40)

/* Sums of a group's columns around the rows y and y + 1. */
static inline void down(__global const uchar *image, int group, int y, __local float *sums)
{
    __global const uchar *here = image + y * VAR_width;
    ushort16 first, second;

    /* Inside the image all rows are at known distances; clamping takes as long as the sums. */
#define BELOW(i) ROW((i) + 1)
    if (y >= RADIUS && y + 1 + RADIUS < VAR_height) {
#define ROW(i) convert_ushort16(load_group(here + ((i)-RADIUS) * VAR_width, group))
        first = SUM(ROW, ushort);
        second = SUM(BELOW, ushort);
#undef ROW
    } else {
#define ROW(i)                                                                                     \
    convert_ushort16(                                                                              \
        load_group(here + clamp((i)-RADIUS, -y, VAR_height - 1 - y) * VAR_width, group))
        first = SUM(ROW, ushort);
        second = SUM(BELOW, ushort);
#undef ROW
    }
#undef BELOW
    store_floats(convert_float16(first), sums, group, RADIUS);
    store_floats(convert_float16(second), sums + PITCH, group, RADIUS);
}

/* Sixteen pixels from the columns' sums. */
static inline uchar16 across(__local const float *sums)
{
#define AT(i) load_floats(sums + (i)-RADIUS)
    float16 sum = SUM(AT, float);
#undef AT
    return convert_uchar16(convert_int16(sum * (1.0f / 65536) + 0.5f));
}

__kernel void Gauss(__global const uchar *in, __global uchar *out)
{
    __local float sums[TILE_H * PITCH];
    __global const uchar *image = in + get_group_id(0) * (size_t)TOKEN_in_SIZE;
    __global uchar *blurred = out + get_group_id(0) * (size_t)TOKEN_out_SIZE;
    int item = get_local_id(0), items = get_local_size(0);
    int first, y0, k;

    for (y0 = 0; y0 < VAR_height; y0 += TILE_H) {
        int rows = min(TILE_H, VAR_height - y0);

        for (first = 0; first < ROW_GROUPS; first += WIDE) {
            for (k = item; k < (rows + 1) / 2 * PASSED; k += items) {
                int group = first - 1 + k % PASSED, y = k / PASSED * 2;
                if (group >= 0 && group < ROW_GROUPS)
                    down(image, group, y0 + y, sums + y * PITCH + COLUMN(group, first));
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (k = item; k < TILE_H * WIDE; k += items) {
                int group = first + k / TILE_H, y = k % TILE_H;
                if (group < ROW_GROUPS && y < rows)
                    store_group(across(sums + y * PITCH + COLUMN(group, first)),
                                blurred + (y0 + y) * VAR_width, group);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    for (k = item; k < TOKEN_out_SIZE - IMAGE; k += items)
        blurred[IMAGE + k] = image[IMAGE + k];
}
