/* Discriminate for a core or a device: as in angle.h. A block of DAL_foreach is LANES outputs. */
#include "dal.h"
#include "angle.h"
#include "filter.h"
#include "radio.h"

int Discriminate_fire(DALProcess *p)
{
    struct filter f = filter_begin(p);
    DAL_WINDOW const float *before = (DAL_WINDOW const float *)f.before;
    DAL_WINDOW const float *in = (DAL_WINDOW const float *)f.in;
    DAL_WINDOW float *out = (DAL_WINDOW float *)f.out;

    DAL_foreach (part : PORT_out) {
        int m;
        for (m = part * LANES; m < (part + 1) * LANES; m++) {
            float re0 = m > 0 ? in[m - 1] : before[VAR_block - 1];
            float im0 = m > 0 ? in[VAR_block + m - 1] : before[2 * VAR_block - 1];
            out[m] = angle(re0, im0, in[m], in[VAR_block + m]);
        }
    }
    filter_end(f, p);
    return 0;
}
