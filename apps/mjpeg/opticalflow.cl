/*
 * Opticalflow: magnitude of the motion since the image before, as in flow.h and with the same
 * bytes.
 *
 * A work-group is one firing, one image; its work-items share the image tile by tile. Of a tile and
 * its border the gradients are kept in local memory, then the products' sums over five columns;
 * together they fit in 32 KiB. The sums are integers, exact in float; the equations are solved in
 * double where the device has it and in 64-bit integers where not (or with -D FLOW_INTEGERS), with
 * the same result.
 */
#if defined(cl_khr_fp64) && !defined(FLOW_INTEGERS)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define FLOW_DOUBLE
#endif

#define RADIUS 2
#define LANES  16
#define TILE_W 64
#define WIDE   (TILE_W / LANES) /* groups of lanes in a tile's row */
#define TILE_H 14
#define ROWS   (TILE_H + 2 * RADIUS)
#define COLS   (TILE_W + 2 * RADIUS)
#define GROUPS ((COLS + LANES - 1) / LANES)
#define PITCH  (GROUPS * LANES)
#define IMAGE  (VAR_width * VAR_height)

/* Gradients of the pixel at (x, y), or at the border pixel next to it: ix, iy, it. */
short4 gradient(__global const uchar *now, __global const uchar *before, int x, int y)
{
    int w = VAR_width - 1, h = VAR_height - 1;

    x = clamp(x, 0, w);
    y = clamp(y, 0, h);
    return (short4)(now[y * VAR_width + min(x + 1, w)] - now[y * VAR_width + max(x - 1, 0)],
                    now[min(y + 1, h) * VAR_width + x] - now[max(y - 1, 0) * VAR_width + x],
                    now[y * VAR_width + x] - before[y * VAR_width + x], 0);
}

/* Gradients of sixteen pixels from (x, y) on, of which `count` are needed. */
void gradients(__global const uchar *now, __global const uchar *before, int x, int y, int count,
               __local short *ix, __local short *iy, __local short *it)
{
    int h = VAR_height - 1, i;

    if (x >= 1 && x + LANES + 1 <= VAR_width) {
        int row = clamp(y, 0, h);
        int here = row * VAR_width + x;
        int above = max(row - 1, 0) * VAR_width + x, below = min(row + 1, h) * VAR_width + x;
        vstore16(convert_short16(vload16(0, now + here + 1)) -
                     convert_short16(vload16(0, now + here - 1)),
                 0, ix);
        vstore16(convert_short16(vload16(0, now + below)) -
                     convert_short16(vload16(0, now + above)),
                 0, iy);
        vstore16(convert_short16(vload16(0, now + here)) -
                     convert_short16(vload16(0, before + here)),
                 0, it);
        return;
    }
    for (i = 0; i < min(count, LANES); i++) {
        short4 g = gradient(now, before, x + i, y);
        ix[i] = g.x;
        iy[i] = g.y;
        it[i] = g.z;
    }
}

/* Products' sums over five columns, for sixteen columns: a, b, c, s and t, `pitch` apart. */
void products(__local const short *ix, __local const short *iy, __local const short *it,
              __local float16 *sums, int pitch)
{
    float16 a = 0, b = 0, c = 0, s = 0, t = 0;
    int i;

    for (i = 0; i <= 2 * RADIUS; i++) {
        float16 u = convert_float16(vload16(0, ix + i));
        float16 v = convert_float16(vload16(0, iy + i));
        float16 w = convert_float16(vload16(0, it + i));
        a += u * u;
        b += u * v;
        c += v * v;
        s += u * w;
        t += v * w;
    }
    sums[0] = a;
    sums[pitch] = b;
    sums[2 * pitch] = c;
    sums[3 * pitch] = s;
    sums[4 * pitch] = t;
}

/* Sums of five rows of those. */
float16 column(__local const float16 *sums)
{
    return sums[0] + sums[WIDE] + sums[2 * WIDE] + sums[3 * WIDE] + sums[4 * WIDE];
}

#ifdef FLOW_DOUBLE
/* numerator * 32 / det to the nearest integer, halves to even. Adding and taking away 1.5 * 2^52
 * rounds as rint() does, and stays a vector operation everywhere. */
float16 part(double16 numerator, double16 det)
{
    double16 part = clamp(32.0 * numerator / det, -128.0, 127.0);

    return convert_float16(part + 6755399441055744.0 - 6755399441055744.0);
}

/* Sizes of the motion, 0 where the equations say nothing. */
float16 solve(float16 fa, float16 fb, float16 fc, float16 fs, float16 ft)
{
    double16 a = convert_double16(fa), b = convert_double16(fb), c = convert_double16(fc);
    double16 s = convert_double16(fs), t = convert_double16(ft);
    double16 det = a * c - b * b;
    double16 safe = fmax(det, 1000.0);
    float16 du = part(b * t - c * s, safe), dv = part(b * s - a * t, safe);
    float16 size = sqrt(du * du + dv * dv) + 0.5f;

    return select(size, (float16)0.0f, convert_int16(det < 1000.0));
}
#else
/* The same in integers: a guess in float, at most 1 off, put right. */
float16 part(long16 numerator, long16 det)
{
    float16 guess = convert_float16(numerator) * 32.0f / convert_float16(det);
    long16 r = convert_long16(rint(clamp(guess, -128.0f, 127.0f)));
    long16 rest = 2 * (32 * numerator - r * det);

    /* a comparison that holds is -1 */
    r -= (rest > det) | ((rest == det) & ((r & 1) == 1));
    rest = 2 * (32 * numerator - r * det);
    r += (rest < -det) | ((rest == -det) & ((r & 1) == 1));
    return convert_float16(clamp(r, -128L, 127L));
}

float16 solve(float16 fa, float16 fb, float16 fc, float16 fs, float16 ft)
{
    long16 a = convert_long16(fa), b = convert_long16(fb), c = convert_long16(fc);
    long16 s = convert_long16(fs), t = convert_long16(ft);
    long16 det = a * c - b * b;
    long16 safe = max(det, 1000L);
    float16 du = part(b * t - c * s, safe), dv = part(b * s - a * t, safe);
    float16 size = sqrt(du * du + dv * dv) + 0.5f;

    return select(size, (float16)0.0f, convert_int16(det < 1000L));
}
#endif

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

__kernel void Opticalflow(__global const uchar *in, __global const uchar *previous,
                          __global uchar *out)
{
    __local short ix[ROWS * PITCH], iy[ROWS * PITCH], it[ROWS * PITCH];
    __local float16 sums[5 * ROWS * WIDE];
    __global const uchar *now = in + get_group_id(0) * (size_t)TOKEN_in_SIZE;
    __global const uchar *before = previous + get_group_id(0) * (size_t)TOKEN_previous_SIZE;
    __global uchar *motion = out + get_group_id(0) * (size_t)TOKEN_out_SIZE;
    float moved = now[TOKEN_in_SIZE - 64] && before[TOKEN_previous_SIZE - 64] ? 1.0f : 0.0f;
    int item = get_local_id(0), items = get_local_size(0);
    int x0, y0, k;

    for (y0 = 0; y0 < VAR_height; y0 += TILE_H) {
        int height = min(TILE_H, VAR_height - y0), rows = height + 2 * RADIUS;

        for (x0 = 0; x0 < VAR_width; x0 += TILE_W) {
            for (k = item; k < rows * GROUPS; k += items) {
                int row = k / GROUPS, group = k % GROUPS * LANES, at = row * PITCH + group;
                gradients(now, before, x0 - RADIUS + group, y0 - RADIUS + row, COLS - group,
                          ix + at, iy + at, it + at);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (k = item; k < rows * WIDE; k += items) {
                int at = k / WIDE * PITCH + k % WIDE * LANES;
                products(ix + at, iy + at, it + at, sums + k, ROWS * WIDE);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (k = item; k < height * WIDE; k += items) {
                __local const float16 *at = sums + k;
                float16 size = solve(column(at), column(at + ROWS * WIDE),
                                     column(at + 2 * ROWS * WIDE), column(at + 3 * ROWS * WIDE),
                                     column(at + 4 * ROWS * WIDE));
                store(convert_uchar16(convert_int16(size * moved)), motion,
                      x0 + k % WIDE * LANES, y0 + k / WIDE);
            }
        }
    }
    for (k = item; k < TOKEN_out_SIZE - IMAGE; k += items)
        motion[IMAGE + k] = now[IMAGE + k];
}
