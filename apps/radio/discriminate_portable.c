/* Discriminate for a core or a device: as in angle.h. A block of DAL_foreach is LANES outputs. */
#include "dal.h"
#include "angle.h"
#include "radio.h"

int Discriminate_fire(DALProcess *p)
{
    DAL_WINDOW const float *before =
        DAL_read_begin(PORT_before, TOKEN_before_SIZE, TOKEN_before_RATE, p);
    DAL_WINDOW const float *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    DAL_WINDOW float *out =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    DAL_foreach (part : PORT_out) {
        int m;
        for (m = part * LANES; m < (part + 1) * LANES; m++) {
            float re0 = m > 0 ? in[m - 1] : before[VAR_block - 1];
            float im0 = m > 0 ? in[VAR_block + m - 1] : before[2 * VAR_block - 1];
            out[m] = angle(re0, im0, in[m], in[VAR_block + m]);
        }
    }
    DAL_read_end(PORT_before, before, p);
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
