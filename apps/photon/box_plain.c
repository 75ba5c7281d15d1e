/* Box: means with all pixels of the box added up for each pixel, in many lanes. Threads share bands
 * of rows. */
#include "dal.h"
#include "box.h"

#include <stdint.h>

#define EDGE (VAR_radius + 16) /* zeros on both sides of a row */

#ifdef _OPENMP
#define BANDS 8
#else
#define BANDS 1
#endif

typedef uint16_t lane_words __attribute__((vector_size(32), aligned(2), may_alias));
typedef int32_t lane_sums __attribute__((vector_size(64)));
typedef float lane_means __attribute__((vector_size(64), aligned(4), may_alias));

/* Not state: a band finds nothing of another. */
static _Thread_local uint16_t rows[SIDE][EDGE + VAR_width + EDGE];

/* Sixteen pixels. The rows of the box are in any order. */
static inline void make_lanes(float *out, int x)
{
    lane_sums sums = {0};
    int i, j;

    for (i = 0; i < SIDE; i++)
        for (j = 0; j < SIDE; j++)
            sums += __builtin_convertvector(
                *(const lane_words *)&rows[i][EDGE + x - VAR_radius + j], lane_sums);
    *(lane_means *)out = __builtin_convertvector(sums, lane_means) * BOX_PART;
}

/* Row y of the frame, in the place of the one that is not needed any more. */
static void take_row(const uint16_t *in, int y)
{
    uint16_t *to = rows[y % SIDE] + EDGE;
    int x;

    for (x = 0; x < VAR_width; x++)
        to[x] = y < VAR_height ? (uint16_t)BOX_ADC(in[y * VAR_width + x]) : 0;
}

/* Rows from `first` up to `end`. */
static void make_band(const uint16_t *in, float *out, int first, int end)
{
    int x, y = first > VAR_radius ? first - VAR_radius : 0;

    memset(rows, 0, sizeof(rows));
    for (; y < first + VAR_radius; y++)
        take_row(in, y);
    for (y = first; y < end; y++) {
        take_row(in, y + VAR_radius);
        for (x = 0; x < VAR_width; x += 16)
            make_lanes(out + y * VAR_width + x, x);
    }
}

int Box_fire(DALProcess *p)
{
    uint16_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, 1, p);
    float *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);
    int n;

    if (!in || !out)
        return 1;
#pragma omp parallel for
    for (n = 0; n < BANDS; n++)
        make_band(in, out, n * VAR_height / BANDS, (n + 1) * VAR_height / BANDS);
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
