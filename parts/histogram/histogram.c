/* Counts samples by their values. */
#include "dal.h"

#include <math.h>

#define SCALE (VAR_bins / (VAR_most - VAR_least))

/* Where a sample from least to most is. The last range has the value most as well. */
static inline int find_bin(double value)
{
    double at = (value - VAR_least) * SCALE;

    return at < VAR_bins - 1 ? (int)at : VAR_bins - 1;
}

/* Returns 0, or -1 after DAL_fail(). */
static int check_ranges(DALProcess *p)
{
    if (VAR_most <= VAR_least)
        DAL_fail(p, "the variable most is not above least");
    else if (!isfinite(VAR_most - VAR_least))
        DAL_fail(p, "the variables least and most are too far from each other");
    else if (!isfinite(SCALE))
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
