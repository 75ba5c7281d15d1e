/*
 * flow.h: magnitude of the optical flow between two images after Lucas and Kanade.
 *
 * From the gradients ix, iy, it and their products' sums a, b, c, s, t over 5x5 windows the motion
 * (du, dv) is in 1/16 of a pixel (32 times what follows from gradients over two pixels), each part
 * within -128..127; the result is round(sqrt(du^2 + dv^2)), at most 181. Every integer below is
 * exact in the floating type that holds it (sums are at most 25 * 255^2 < 2^24, products below
 * 2^53), so only the division and rint() round, and both are correctly rounded on every machine,
 * with fused multiply-add or without. Borders are replicated, of the image and of the products.
 */
#ifndef MJPEG_FLOW_H
#define MJPEG_FLOW_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define FLOW_WINDOW 5
#define FLOW_RADIUS 2
#define FLOW_SUMS   5
/* Elements of the scratch memory: a ring of rows of ix, iy and it, and five rows of padded sums. */
#define FLOW_SCRATCH(width)                                                                        \
    (3 * FLOW_WINDOW * (size_t)(width) + FLOW_SUMS * ((size_t)(width) + 2 * FLOW_RADIUS))

/* One row of gradients into `to`: ix, iy and it, `width` each. */
static inline void flow_gradients(const uint8_t *restrict now, const uint8_t *restrict before,
                                  int width, int height, int y, float *restrict to)
{
    const uint8_t *here = now + (size_t)y * (size_t)width;
    const uint8_t *above = y > 0 ? here - width : here;
    const uint8_t *below = y < height - 1 ? here + width : here;
    const uint8_t *was = before + (size_t)y * (size_t)width;
    float *ix = to, *iy = to + width, *it = to + 2 * width;
    int x;

    ix[0] = (float)(here[1] - here[0]);
    for (x = 1; x < width - 1; x++)
        ix[x] = (float)(here[x + 1] - here[x - 1]);
    ix[width - 1] = (float)(here[width - 1] - here[width - 2]);
    for (x = 0; x < width; x++) {
        iy[x] = (float)(below[x] - above[x]);
        it[x] = (float)(here[x] - was[x]);
    }
}

/* Adds a row's products, times sign, to the columns' sums. */
static inline void flow_add(const float *restrict row, float sign, float *restrict sums, int width)
{
    const float *ix = row, *iy = row + width, *it = row + 2 * width;
    size_t pitch = (size_t)width + 2 * FLOW_RADIUS;
    float *a = sums + FLOW_RADIUS, *b = a + pitch, *c = b + pitch, *s = c + pitch, *t = s + pitch;
    int x;

    for (x = 0; x < width; x++) {
        float u = ix[x] * sign, v = iy[x] * sign;
        a[x] += u * ix[x];
        b[x] += u * iy[x];
        c[x] += v * iy[x];
        s[x] += u * it[x];
        t[x] += v * it[x];
    }
}

/* Replicates the ends of the columns' sums to both sides. */
static inline void flow_pad(float *sums, int width)
{
    int q, i;

    for (q = 0; q < FLOW_SUMS; q++, sums += width + 2 * FLOW_RADIUS)
        for (i = 0; i < FLOW_RADIUS; i++) {
            sums[i] = sums[FLOW_RADIUS];
            sums[FLOW_RADIUS + width + i] = sums[FLOW_RADIUS + width - 1];
        }
}

static inline double flow_part(double numerator, double det)
{
    double part = 32.0 * numerator / det;
    part = part > 127.0 ? 127.0 : part;
    part = part < -128.0 ? -128.0 : part;
    return rint(part);
}

/* One row of the result from the columns' sums. */
static inline void flow_solve(const float *restrict sums, uint8_t *restrict out, int width)
{
    size_t pitch = (size_t)width + 2 * FLOW_RADIUS;
    const float *p = sums;
    int x;

    for (x = 0; x < width; x++) {
#define SUM(q)                                                                                     \
    (double)(p[x + (q)*pitch] + p[x + 1 + (q)*pitch] + p[x + 2 + (q)*pitch] +                      \
             p[x + 3 + (q)*pitch] + p[x + 4 + (q)*pitch])
        double a = SUM(0), b = SUM(1), c = SUM(2), s = SUM(3), t = SUM(4);
#undef SUM
        double det = a * c - b * b;
        double safe = det < 1000.0 ? 1.0 : det;
        float du = (float)flow_part(b * t - c * s, safe);
        float dv = (float)flow_part(b * s - a * t, safe);
        float size = sqrtf(du * du + dv * dv) + 0.5f;
        out[x] = (uint8_t)(int)(det < 1000.0 ? 0.0f : size);
    }
}

static inline int flow_clamp(int y, int height)
{
    return y < 0 ? 0 : y >= height ? height - 1 : y;
}

/* Width and height at least 5; scratch has FLOW_SCRATCH(width) elements. */
static inline void flow_image(const uint8_t *restrict now, const uint8_t *restrict before,
                              uint8_t *restrict out, int width, int height, float *restrict scratch)
{
    size_t row = 3 * (size_t)width;
    float *ring = scratch, *sums = scratch + FLOW_WINDOW * row;
    int y;

    for (y = 0; y < FLOW_SUMS * (width + 2 * FLOW_RADIUS); y++)
        sums[y] = 0.0f;
    for (y = 0; y < FLOW_RADIUS; y++)
        flow_gradients(now, before, width, height, y, ring + (size_t)y * row);
    for (y = -FLOW_RADIUS; y < FLOW_RADIUS; y++)
        flow_add(ring + (size_t)flow_clamp(y, height) * row, 1.0f, sums, width);
    for (y = 0; y < height; y++) {
        int in = y + FLOW_RADIUS;
        if (in < height)
            flow_gradients(now, before, width, height, in, ring + (size_t)(in % FLOW_WINDOW) * row);
        flow_add(ring + (size_t)(flow_clamp(in, height) % FLOW_WINDOW) * row, 1.0f, sums, width);
        flow_pad(sums, width);
        flow_solve(sums, out + (size_t)y * (size_t)width, width);
        flow_add(ring + (size_t)(flow_clamp(y - FLOW_RADIUS, height) % FLOW_WINDOW) * row, -1.0f,
                 sums, width);
    }
}

#endif
