/*
 * sobel.h: gradient magnitude with the 3x3 Sobel windows, min(255, round(sqrt(gx^2 + gy^2))).
 *
 * gx^2 + gy^2 is an integer below 2^24 whose root is never half-way between integers, so single
 * precision gives the exact answer. Borders are replicated.
 */
#ifndef MJPEG_SOBEL_H
#define MJPEG_SOBEL_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Elements of the scratch memory: the columns' smoothed values and differences, padded. */
#define SOBEL_SCRATCH(width) (2 * ((size_t)(width) + 2))

static inline void sobel_row(const uint8_t *restrict above, const uint8_t *restrict here,
                             const uint8_t *restrict below, uint8_t *restrict out, int width,
                             int16_t *restrict smooth, int16_t *restrict slope)
{
    int x;

    for (x = 0; x < width; x++) {
        smooth[x + 1] = (int16_t)(above[x] + 2 * here[x] + below[x]);
        slope[x + 1] = (int16_t)(below[x] - above[x]);
    }
    smooth[0] = smooth[1];
    slope[0] = slope[1];
    smooth[width + 1] = smooth[width];
    slope[width + 1] = slope[width];
    for (x = 0; x < width; x++) {
        int gx = smooth[x + 2] - smooth[x];
        int gy = slope[x] + 2 * slope[x + 1] + slope[x + 2];
        float root = sqrtf((float)(gx * gx + gy * gy)) + 0.5f;
        out[x] = (uint8_t)(int)(root < 255.0f ? root : 255.0f);
    }
}

/* Scratch has SOBEL_SCRATCH(width) elements. */
static inline void sobel_image(const uint8_t *restrict in, uint8_t *restrict out, int width,
                               int height, int16_t *restrict scratch)
{
    size_t pitch = (size_t)width;
    int y;

    for (y = 0; y < height; y++) {
        const uint8_t *here = in + (size_t)y * pitch;
        sobel_row(y > 0 ? here - pitch : here, here, y < height - 1 ? here + pitch : here,
                  out + (size_t)y * pitch, width, scratch, scratch + width + 2);
    }
}

#endif
