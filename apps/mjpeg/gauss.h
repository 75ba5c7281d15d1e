/*
 * gauss.h: blur with a 15x15 binomial-like window, in two passes of 15 taps.
 *
 * weights 1 3 6 12 20 30 36 40 36 30 20 12 6 3 1, sum 256; out = (sum of 225 products + 32768)
 * >> 16. Borders are replicated. Everything is exact in 16 bits: a horizontal sum h is at most
 * 65280, and split into h = 256 * high + low both vertical sums are at most 65280 too; then (256 *
 * sum(high) + sum(low) + 32768) >> 16 = (sum(high) + (sum(low) >> 8) + 128) >> 8.
 */
#ifndef MJPEG_GAUSS_H
#define MJPEG_GAUSS_H

#include <stddef.h>
#include <stdint.h>

#define GAUSS_TAPS   15
#define GAUSS_RADIUS 7
/* Elements of the scratch memory: one padded row and a ring of 15 rows in two halves. */
#define GAUSS_SCRATCH(width) ((size_t)(width) + 2 * GAUSS_RADIUS + 2 * GAUSS_TAPS * (size_t)(width))

/* at(i) for i from 0 to 14, weighted and summed in 16 bits. */
#define GAUSS_SUM(at)                                                                              \
    (uint16_t)((uint16_t)(at(0) + at(14)) + (uint16_t)(at(1) + at(13)) * 3 +                       \
               (uint16_t)(at(2) + at(12)) * 6 + (uint16_t)(at(3) + at(11)) * 12 +                  \
               (uint16_t)(at(4) + at(10)) * 20 + (uint16_t)(at(5) + at(9)) * 30 +                  \
               (uint16_t)(at(6) + at(8)) * 36 + at(7) * 40)

static inline void gauss_across(const uint8_t *restrict in, uint16_t *restrict pad,
                                uint16_t *restrict high, uint16_t *restrict low, int width)
{
    int x;

    for (x = 0; x < GAUSS_RADIUS; x++) {
        pad[x] = in[0];
        pad[GAUSS_RADIUS + width + x] = in[width - 1];
    }
    for (x = 0; x < width; x++)
        pad[GAUSS_RADIUS + x] = in[x];
    for (x = 0; x < width; x++) {
#define AT(i) pad[x + (i)]
        uint16_t sum = GAUSS_SUM(AT);
#undef AT
        high[x] = sum >> 8;
        low[x] = sum & 255;
    }
}

static inline void gauss_down(const uint16_t *const *high, const uint16_t *const *low,
                              uint8_t *restrict out, int width)
{
    int x;

    for (x = 0; x < width; x++) {
#define HIGH(i) high[i][x]
#define LOW(i)  low[i][x]
        uint16_t upper = GAUSS_SUM(HIGH);
        uint16_t lower = GAUSS_SUM(LOW);
#undef HIGH
#undef LOW
        out[x] = (uint8_t)((uint16_t)(upper + (lower >> 8) + 128) >> 8);
    }
}

/* Width and height at least 1; scratch has GAUSS_SCRATCH(width) elements. */
static inline void gauss_image(const uint8_t *restrict in, uint8_t *restrict out, int width,
                               int height, uint16_t *restrict scratch)
{
    const uint16_t *high[GAUSS_TAPS], *low[GAUSS_TAPS];
    uint16_t *pad = scratch, *ring = scratch + width + 2 * GAUSS_RADIUS;
    int made = 0, y, i;

    for (y = 0; y < height; y++) {
        for (; made < height && made <= y + GAUSS_RADIUS; made++) {
            uint16_t *row = ring + (size_t)(made % GAUSS_TAPS) * 2 * (size_t)width;
            gauss_across(in + (size_t)made * (size_t)width, pad, row, row + width, width);
        }
        for (i = 0; i < GAUSS_TAPS; i++) {
            int from = y + i - GAUSS_RADIUS;
            from = from < 0 ? 0 : from >= height ? height - 1 : from;
            high[i] = ring + (size_t)(from % GAUSS_TAPS) * 2 * (size_t)width;
            low[i] = high[i] + width;
        }
        gauss_down(high, low, out + (size_t)y * (size_t)width, width);
    }
}

#endif
