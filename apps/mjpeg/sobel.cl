/*
 * Sobel: gradient magnitude as in sobel.h and with the same bytes.
 *
 * A work-group is one firing, one image; its work-items share the image's groups of sixteen pixels.
 */
#include "lanes.h"

#define IMAGE (VAR_width * VAR_height)

/* A group's pixels and those to the left and right of them. */
static inline void columns(__global const uchar *row, int group, short16 *left, short16 *middle,
                           short16 *right)
{
    uchar16 here = load_group(row, group);

    *left = convert_short16(load_left(row, group, here));
    *middle = convert_short16(here);
    *right = convert_short16(load_right(row, group, here));
}

static inline uchar16 magnitudes(__global const uchar *above, __global const uchar *here,
                                 __global const uchar *below, int group)
{
    short16 al, am, ar, hl, hm, hr, bl, bm, br;
    float16 gx, gy, root;

    columns(above, group, &al, &am, &ar);
    columns(here, group, &hl, &hm, &hr);
    columns(below, group, &bl, &bm, &br);
    gx = convert_float16((ar - al) + (hr - hl) * (short)2 + (br - bl));
    gy = convert_float16((bl - al) + (bm - am) * (short)2 + (br - ar));
    root = sqrt(gx * gx + gy * gy) + 0.5f;
    return convert_uchar16(convert_int16(min(root, 255.0f)));
}

__kernel void Sobel(__global const uchar *in, __global uchar *out)
{
    __global const uchar *image = in + get_group_id(0) * (size_t)TOKEN_in_SIZE;
    __global uchar *now = out + get_group_id(0) * (size_t)TOKEN_out_SIZE;
    int item = get_local_id(0), items = get_local_size(0);
    int k;

    for (k = item; k < VAR_height * ROW_GROUPS; k += items) {
        int y = k / ROW_GROUPS, group = k % ROW_GROUPS, at = y * VAR_width;
        __global const uchar *here = image + at;
        uchar16 value = magnitudes(y > 0 ? here - VAR_width : here, here,
                                   y < VAR_height - 1 ? here + VAR_width : here, group);
        store_group(value, now + at, group);
    }
    for (k = item; k < TOKEN_out_SIZE - IMAGE; k += items)
        now[IMAGE + k] = image[IMAGE + k];
}
