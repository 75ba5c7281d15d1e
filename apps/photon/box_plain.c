/* Box: means with all pixels of the box added up for each pixel, in many lanes. */
#include "dal.h"
#include "box.h"

#include <stdint.h>

#define EDGE 16 /* zeros on both sides of a row */

typedef uint16_t lane_words __attribute__((vector_size(32), aligned(2), may_alias));
typedef int32_t lane_sums __attribute__((vector_size(64)));
typedef float lane_means __attribute__((vector_size(64), aligned(4), may_alias));

/* Not state: a firing finds nothing of the one before. */
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

int Box_fire(DALProcess *p)
{
    uint16_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, 1, p);
    float *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);
    int x, y;

    if (!in || !out)
        return 1;
    memset(rows, 0, sizeof(rows));
    for (y = 0; y < VAR_radius; y++)
        take_row(in, y);
    for (y = 0; y < VAR_height; y++) {
        take_row(in, y + VAR_radius);
        for (x = 0; x < VAR_width; x += 16)
            make_lanes(out + y * VAR_width + x, x);
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
