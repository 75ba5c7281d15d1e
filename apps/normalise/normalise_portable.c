/*
 * Normalise: takes the mean of a frame away, and scales it so that its largest sample becomes 1.
 * For a core or a device: mean and largest sample are the same bytes on both.
 */
#include "dal.h"
#include <dal_collectives.h>

DAL_COLLECTIVE(float, add);
DAL_COLLECTIVE(float, max);

int Normalise_fire(DALProcess *p)
{
    DAL_WINDOW const float *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    DAL_WINDOW float *out =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    DAL_SCRATCH(s);
    float mean = dal_joint_reduce_add_float(in, VAR_samples, 0, s) / VAR_samples;
    float largest = dal_joint_reduce_max_float(in, VAR_samples, in[0], s);

    DAL_foreach (i : PORT_out) {
        out[i] = (in[i] - mean) / (largest - mean);
    }
    DAL_write_end(PORT_out, out, p);
    DAL_read_end(PORT_in, in, p);
    return 0;
}
