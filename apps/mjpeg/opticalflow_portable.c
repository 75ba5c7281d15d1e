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

/* 32 * numerator / det to the nearest integer, halves to even, within -128..127: a guess in float,
 * at most 1 off, put right. No branch, so that a compiler can make vectors of it. */
static inline int part(int64_t numerator, int64_t det)
{
    float guess = 32.0f * (float)numerator / (float)det;
    int r = (int)(guess < -129.0f ? -129.0f : guess > 128.0f ? 128.0f : guess);
    int64_t rest = 2 * (32 * numerator - r * det), most = det - (r & 1);

    r += (rest > most) - (-rest > most);
    return r < -128 ? -128 : r > 127 ? 127 : r;
}

static inline uint8_t solve(int64_t a, int64_t b, int64_t c, int64_t s, int64_t t)
{
    int64_t det = a * c - b * b, safe = det < 1000 ? 1000 : det;
    int du = part(b * t - c * s, safe), dv = part(b * s - a * t, safe);
    float size = sqrtf((float)(du * du + dv * dv)) + 0.5f;

    return (uint8_t)(int)(det < 1000 ? 0.0f : size);
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
        int a[WIDE], b[WIDE], c[WIDE], s[WIDE], t[WIDE], slope[VAR_width];
        int x, i;

        for (x = 0; x < WIDE; x++)
            a[x] = b[x] = c[x] = s[x] = t[x] = 0;
        for (i = -RADIUS; i <= RADIUS; i++) {
            int row = within(y + i, VAR_height);
            DAL_WINDOW const uint8_t *here = in + row * VAR_width;
            DAL_WINDOW const uint8_t *above = row > 0 ? here - VAR_width : here;
            DAL_WINDOW const uint8_t *below = row < VAR_height - 1 ? here + VAR_width : here;
            DAL_WINDOW const uint8_t *was = previous + row * VAR_width;
            for (x = 1; x < VAR_width - 1; x++)
                slope[x] = here[x + 1] - here[x - 1];
            slope[0] = here[1] - here[0];
            slope[VAR_width - 1] = here[VAR_width - 1] - here[VAR_width - 2];
            for (x = 0; x < VAR_width; x++) {
                int u = slope[x];
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
#define SUM(of) (of[x] + of[x + 1] + of[x + 2] + of[x + 3] + of[x + 4])
            uint8_t size = solve(SUM(a), SUM(b), SUM(c), SUM(s), SUM(t));
#undef SUM
            out[y * VAR_width + x] = moved ? size : 0;
        }
        for (x = y == 0 ? IMAGE : TOKEN_out_SIZE; x < TOKEN_out_SIZE; x++)
            out[x] = in[x];
    }
    DAL_read_end(PORT_in, in, p);
    DAL_read_end(PORT_previous, previous, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
