/* As join.c, for a core and for a device. */
#include "dal.h"
int join_portable_fire(DALProcess *p)
{
    DAL_WINDOW const int *x = DAL_read_begin(PORT_x, TOKEN_x_SIZE, TOKEN_x_RATE, p);
    DAL_WINDOW const int *y = DAL_read_begin(PORT_y, TOKEN_y_SIZE, TOKEN_y_RATE, p);
    DAL_foreach (blk : PORT_out) {
        DAL_WINDOW int *out =
            DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
        for (int k = 0; k < TOKEN_out_RATE; k++)
            out[k] = DAL_PHASE ? y[k] : x[k];
        DAL_write_end(PORT_out, out, p);
    }
    DAL_read_end(PORT_x, x, p);
    DAL_read_end(PORT_y, y, p);
    return 0;
}
