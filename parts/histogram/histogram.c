/* Counts samples by their values. */
#include "dal.h"

#define SCALE (VAR_bins / (VAR_most - VAR_least))

int Histogram_fire(DALProcess *p)
{
    const VAR_type *in = DAL_READ_TOKENS(VAR_type, in, VAR_samples, p);
    uint32_t *out = DAL_write_begin(PORT_out, VAR_bins * sizeof(*out), 1, 1, 0, p);

    if (!in || !out)
        return 1;
    if (VAR_most <= VAR_least) {
        DAL_fail(p, "the variable most is not above least");
        return 1;
    }
    memset(out, 0, VAR_bins * sizeof(*out));
    for (int i = 0; i < VAR_samples; i++) {
        double value = (double)in[i];
        if (value >= VAR_least && value <= VAR_most) {
            int bin = (int)((value - VAR_least) * SCALE);
            out[bin < VAR_bins ? bin : VAR_bins - 1]++;
        }
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
