/*
 * Sobel: gradient magnitude as in sobel.h and with the same bytes, for both of its outputs.
 *
 * A work-group is one firing, one image; its work-items share the image's groups of sixteen
 * pixels, and the pixels that are left over at the end of each row.
 */
#define LANES  16
#define GROUPS (VAR_width / LANES)
#define IMAGE  (VAR_width * VAR_height)

/* The columns x - 1, x and x + 1 of sixteen pixels, the border replicated. */
void columns(__global const uchar *row, int x, short16 *left, short16 *middle, short16 *right)
{
    uchar16 here = vload16(0, row + x), before, after;

    before = x > 0 ? vload16(0, row + max(x, 1) - 1) : here.s00123456789abcde;
    if (x + LANES < VAR_width)
        after = vload16(0, row + x + 1);
    else
        after = here.s123456789abcdeff;
    *left = convert_short16(before);
    *middle = convert_short16(here);
    *right = convert_short16(after);
}

uchar16 magnitudes(__global const uchar *above, __global const uchar *here,
                   __global const uchar *below, int x)
{
    short16 al, am, ar, hl, hm, hr, bl, bm, br;
    int16 gx, gy;
    float16 root;

    columns(above, x, &al, &am, &ar);
    columns(here, x, &hl, &hm, &hr);
    columns(below, x, &bl, &bm, &br);
    gx = convert_int16((ar - al) + (hr - hl) * (short)2 + (br - bl));
    gy = convert_int16((bl - al) + (bm - am) * (short)2 + (br - ar));
    root = sqrt(convert_float16(gx * gx + gy * gy)) + 0.5f;
    return convert_uchar16(convert_int16(min(root, 255.0f)));
}

uchar magnitude(__global const uchar *above, __global const uchar *here,
                __global const uchar *below, int x)
{
    int l = max(x - 1, 0), r = min(x + 1, VAR_width - 1);
    int gx = above[r] - above[l] + 2 * (here[r] - here[l]) + below[r] - below[l];
    int gy = below[l] - above[l] + 2 * (below[x] - above[x]) + below[r] - above[r];

    return (uchar)(int)min(sqrt((float)(gx * gx + gy * gy)) + 0.5f, 255.0f);
}

__kernel void Sobel(__global const uchar *in, __global uchar *out, __global uchar *next)
{
    __global const uchar *image = in + get_group_id(0) * (size_t)TOKEN_in_SIZE;
    __global uchar *now = out + get_group_id(0) * (size_t)TOKEN_out_SIZE;
    __global uchar *later = next + get_group_id(0) * (size_t)TOKEN_next_SIZE;
    int item = get_local_id(0), items = get_local_size(0);
    int k;

    for (k = item; k < VAR_height * (GROUPS + 1); k += items) {
        int y = k / (GROUPS + 1), x = k % (GROUPS + 1) * LANES, at = y * VAR_width;
        __global const uchar *here = image + at;
        __global const uchar *above = y > 0 ? here - VAR_width : here;
        __global const uchar *below = y < VAR_height - 1 ? here + VAR_width : here;

        if (x + LANES <= VAR_width) {
            uchar16 value = magnitudes(above, here, below, x);
            vstore16(value, 0, now + at + x);
            vstore16(value, 0, later + at + x);
        } else {
            for (; x < VAR_width; x++)
                now[at + x] = later[at + x] = magnitude(above, here, below, x);
        }
    }
    for (k = item; k < TOKEN_out_SIZE - IMAGE; k += items)
        now[IMAGE + k] = later[IMAGE + k] = image[IMAGE + k];
}
