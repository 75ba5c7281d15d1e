/* Box: means with running sums (McDonnell 1981). Each column has a sum, which gets a pixel below
 * and loses one above from row to row; so does the sum of columns from pixel to pixel. The time is
 * that of any radius. Threads share bands of rows, of which each begins with sums of its own.
 */
#include "dal.h"
#include "box.h"

#include <stdint.h>

#ifdef _OPENMP
#define BANDS 8
#else
#define BANDS 1
#endif

/* Not state: a band finds nothing of another. */
static _Thread_local int32_t columns[VAR_width + 2 * VAR_radius + 1];

static void add_row(const uint16_t *row, int sign)
{
    int32_t *to = columns + VAR_radius + 1;
    int x;

    for (x = 0; x < VAR_width; x++)
        to[x] += sign * BOX_ADC(row[x]);
}

static void make_row(float *out)
{
    int32_t sum = 0;
    int x;

    for (x = 0; x < 2 * VAR_radius; x++)
        sum += columns[x + 1];
    for (x = 0; x < VAR_width; x++) {
        sum += columns[x + SIDE] - columns[x];
        out[x] = (float)sum * BOX_PART;
    }
}

/* Rows from `first` up to `end`. */
static void make_band(const uint16_t *in, float *out, int first, int end)
{
    int y = first > VAR_radius ? first - VAR_radius : 0;

    memset(columns, 0, sizeof(columns));
    for (; y < first + VAR_radius && y < VAR_height; y++)
        add_row(in + y * VAR_width, 1);
    for (y = first; y < end; y++) {
        if (y + VAR_radius < VAR_height)
            add_row(in + (y + VAR_radius) * VAR_width, 1);
        make_row(out + y * VAR_width);
        if (y >= VAR_radius)
            add_row(in + (y - VAR_radius) * VAR_width, -1);
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
