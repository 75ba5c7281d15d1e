/* Counts samples by their values. */
#include "dal.h"

#include <math.h>

#define IS_REAL ((VAR_type)0.5f != 0)
#define WIDTH   (VAR_most - VAR_least)

/* Where a range begins, rounded as in NumPy. */
static inline double start_of_bin(int bin)
{
    return bin * (WIDTH / VAR_bins) + VAR_least;
}

/* Where a sample from least to most is. The last range has the value most as well. The quotient is
 * exact for an integer that begins a range; that of a real number may be rounded across a border.
 */
static inline int find_bin(double value)
{
    double at = (value - VAR_least) * VAR_bins / WIDTH;
    int bin = at < VAR_bins - 1 ? (int)at : VAR_bins - 1;

    if (IS_REAL && value < start_of_bin(bin))
        return bin - 1;
    return bin + (IS_REAL && bin < VAR_bins - 1 && value >= start_of_bin(bin + 1));
}

/* Returns 0, or -1 after DAL_fail(). */
static int check_ranges(DALProcess *p)
{
    if (VAR_most <= VAR_least)
        DAL_fail(p, "the variable most is not above least");
    else if (!isfinite(WIDTH * VAR_bins))
        DAL_fail(p, "the variables least and most are too far from each other");
    else if (!isfinite(VAR_bins / WIDTH))
        DAL_fail(p, "the variables least and most are too near to each other");
    else
        return 0;
    return -1;
}

int Histogram_fire(DALProcess *p)
{
    const VAR_type *in = DAL_READ_TOKENS(VAR_type, in, VAR_samples, p);
    uint32_t *out = DAL_write_begin(PORT_out, VAR_bins * sizeof(*out), 1, 1, 0, p);

    if (!in || !out || check_ranges(p) != 0)
        return 1;
    memset(out, 0, VAR_bins * sizeof(*out));
    for (int i = 0; i < VAR_samples; i++) {
        double value = (double)in[i];
        if (value >= VAR_least && value <= VAR_most)
            out[find_bin(value)]++;
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
