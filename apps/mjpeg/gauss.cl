/*
 * Gauss: blur with a 15x15 window in two passes, as gauss.h does it and with the same bytes.
 *
 * A work-group is one firing, one image; its work-items share the image tile by tile, sixteen
 * pixels at a time. A tile's pixels, with a border, and their horizontal sums fit in 32 KiB.
 */
#define RADIUS 7
#define LANES  16
#define TILES  ((VAR_width + 159) / 160)
#define TILE_W (((VAR_width + TILES - 1) / TILES + LANES - 1) / LANES * LANES)
#define TILE_H 48
#define ROWS   (TILE_H + 2 * RADIUS)
#define PITCH  (TILE_W + LANES) /* a tile's pixels start 8 columns left of it */
#define GROUPS (TILE_W / LANES)
#define IMAGE  (VAR_width * VAR_height)

#define SUM(at)                                                                                    \
    ((at(0) + at(14)) + (at(1) + at(13)) * (ushort)3 + (at(2) + at(12)) * (ushort)6 +              \
     (at(3) + at(11)) * (ushort)12 + (at(4) + at(10)) * (ushort)20 + (at(5) + at(9)) * (ushort)30 + \
     (at(6) + at(8)) * (ushort)36 + at(7) * (ushort)40)

/* Sixteen pixels from (x, y) on, the image's border replicated. */
uchar16 pixels(__global const uchar *image, int x, int y)
{
    __global const uchar *row = image + clamp(y, 0, VAR_height - 1) * VAR_width;
    uchar part[LANES];
    int i;

    if (x >= 0 && x + LANES <= VAR_width)
        return vload16(0, row + x);
    for (i = 0; i < LANES; i++)
        part[i] = row[clamp(x + i, 0, VAR_width - 1)];
    return vload16(0, part);
}

ushort16 across(__local const uchar *row)
{
#define AT(i) convert_ushort16(vload16(0, row + (i) + 1))
    return SUM(AT);
#undef AT
}

uchar16 down(__local const ushort16 *sums)
{
#define HIGH(i) (sums[(i) * GROUPS] >> (ushort)8)
#define LOW(i)  (sums[(i) * GROUPS] & (ushort)255)
    ushort16 high = SUM(HIGH), low = SUM(LOW);
    return convert_uchar16((high + (low >> (ushort)8) + (ushort)128) >> (ushort)8);
#undef HIGH
#undef LOW
}

/* Stores those of sixteen pixels that are inside the image. */
void store(uchar16 value, __global uchar *image, int x, int y)
{
    __global uchar *row = image + y * VAR_width;
    uchar part[LANES];
    int i;

    if (x + LANES <= VAR_width) {
        vstore16(value, 0, row + x);
        return;
    }
    vstore16(value, 0, part);
    for (i = 0; x + i < VAR_width; i++)
        row[x + i] = part[i];
}

__kernel void Gauss(__global const uchar *in, __global uchar *out)
{
    __local uchar tile[ROWS * PITCH];
    __local ushort16 sums[ROWS * GROUPS];
    __global const uchar *image = in + get_group_id(0) * (size_t)TOKEN_in_SIZE;
    __global uchar *blurred = out + get_group_id(0) * (size_t)TOKEN_out_SIZE;
    int item = get_local_id(0), items = get_local_size(0);
    int x0, y0, k;

    for (y0 = 0; y0 < VAR_height; y0 += TILE_H) {
        int height = min(TILE_H, VAR_height - y0), rows = height + 2 * RADIUS;

        for (x0 = 0; x0 < VAR_width; x0 += TILE_W) {
            for (k = item; k < rows * (GROUPS + 1); k += items) {
                int row = k / (GROUPS + 1), group = k % (GROUPS + 1) * LANES;
                vstore16(pixels(image, x0 - 8 + group, y0 - RADIUS + row), 0,
                         tile + row * PITCH + group);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (k = item; k < rows * GROUPS; k += items) {
                int row = k / GROUPS, group = k % GROUPS;
                sums[k] = across(tile + row * PITCH + group * LANES);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (k = item; k < height * GROUPS; k += items) {
                store(down(sums + k), blurred, x0 + k % GROUPS * LANES, y0 + k / GROUPS);
            }
        }
    }
    for (k = item; k < TOKEN_out_SIZE - IMAGE; k += items)
        blurred[IMAGE + k] = image[IMAGE + k];
}
