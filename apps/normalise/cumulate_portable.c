/* Cumulate: each sample becomes the sum of all up to it. */
#include "dal.h"
#include <dal_collectives.h>

DAL_COLLECTIVE(float, add);

int Cumulate_fire(DALProcess *p)
{
    DAL_WINDOW const float *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    DAL_WINDOW float *out =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    DAL_SCRATCH(s);

    dal_joint_inclusive_scan_add_float(in, out, VAR_samples, s);
    DAL_write_end(PORT_out, out, p);
    DAL_read_end(PORT_in, in, p);
    return 0;
}
