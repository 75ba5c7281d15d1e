/*
 * Opticalflow for a core or a device: the motion as in flow.h and with the same bytes. A block is a
 * row: the products' sums of its columns over five rows, then sums along them. All of it is in
 * integers, exact, so that a device needs no double.
 */
#include "dal.h"

#include <math.h>
#include <stdint.h>

#define IMAGE   (VAR_width * VAR_height)
#define TRAILER (TOKEN_in_SIZE - 64) /* see frame.h */
#define RADIUS  2
#define WIDE    (VAR_width + 2 * RADIUS)

static inline int within(int at, int size)
{
    return at < 0 ? 0 : at < size ? at : size - 1;
}

/* 32 * numerator / det to the nearest integer, halves to even, within -128..127. */
static inline int part(int64_t numerator, int64_t det)
{
    int64_t quotient = 32 * numerator / det, rest = 32 * numerator % det;

    if (rest < 0) {
        rest += det;
        quotient--;
    }
    if (2 * rest > det || (2 * rest == det && quotient % 2 != 0))
        quotient++;
    return quotient < -128 ? -128 : quotient > 127 ? 127 : (int)quotient;
}

static inline uint8_t solve(int64_t a, int64_t b, int64_t c, int64_t s, int64_t t)
{
    int64_t det = a * c - b * b;
    int du, dv;

    if (det < 1000)
        return 0;
    du = part(b * t - c * s, det);
    dv = part(b * s - a * t, det);
    return (uint8_t)(int)(sqrtf((float)(du * du + dv * dv)) + 0.5f);
}

int Opticalflow_fire(DALProcess *p)
{
    DAL_WINDOW const uint8_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    DAL_WINDOW const uint8_t *previous =
        DAL_read_begin(PORT_previous, TOKEN_previous_SIZE, TOKEN_previous_RATE, p);
    DAL_WINDOW uint8_t *out =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    int moved = in[TRAILER] && previous[TRAILER];

    DAL_foreach (y : PORT_out) {
        int a[WIDE], b[WIDE], c[WIDE], s[WIDE], t[WIDE];
        int x, i;

        for (x = 0; x < WIDE; x++)
            a[x] = b[x] = c[x] = s[x] = t[x] = 0;
        for (i = -RADIUS; i <= RADIUS; i++) {
            int row = within(y + i, VAR_height);
            DAL_WINDOW const uint8_t *here = in + row * VAR_width;
            DAL_WINDOW const uint8_t *above = row > 0 ? here - VAR_width : here;
            DAL_WINDOW const uint8_t *below = row < VAR_height - 1 ? here + VAR_width : here;
            DAL_WINDOW const uint8_t *was = previous + row * VAR_width;
            for (x = 0; x < VAR_width; x++) {
                int u = here[within(x + 1, VAR_width)] - here[within(x - 1, VAR_width)];
                int v = below[x] - above[x], w = here[x] - was[x];
                a[RADIUS + x] += u * u;
                b[RADIUS + x] += u * v;
                c[RADIUS + x] += v * v;
                s[RADIUS + x] += u * w;
                t[RADIUS + x] += v * w;
            }
        }
        for (i = 0; i < RADIUS; i++) {
            int left = RADIUS, right = RADIUS + VAR_width - 1, end = RADIUS + VAR_width + i;
            a[i] = a[left], b[i] = b[left], c[i] = c[left], s[i] = s[left], t[i] = t[left];
            a[end] = a[right], b[end] = b[right], c[end] = c[right];
            s[end] = s[right], t[end] = t[right];
        }
        for (x = 0; x < VAR_width; x++) {
            int sums[5] = {0, 0, 0, 0, 0};
            for (i = x; i <= x + 2 * RADIUS; i++) {
                sums[0] += a[i];
                sums[1] += b[i];
                sums[2] += c[i];
                sums[3] += s[i];
                sums[4] += t[i];
            }
            out[y * VAR_width + x] = moved ? solve(sums[0], sums[1], sums[2], sums[3], sums[4]) : 0;
        }
        for (x = y == 0 ? IMAGE : TOKEN_out_SIZE; x < TOKEN_out_SIZE; x++)
            out[x] = in[x];
    }
    DAL_read_end(PORT_in, in, p);
    DAL_read_end(PORT_previous, previous, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
