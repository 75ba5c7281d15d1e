/* As deal.c, for a core and for a device. */
#include "dal.h"
int deal_portable_fire(DALProcess *p)
{
    DAL_WINDOW const int *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    DAL_foreach (blk : PORT_x) {
        DAL_WINDOW int *x = DAL_write_begin(PORT_x, TOKEN_x_SIZE, TOKEN_x_RATE, TOKEN_x_RATE, 0, p);
        DAL_WINDOW int *y = DAL_write_begin(PORT_y, TOKEN_y_SIZE, TOKEN_y_RATE, TOKEN_y_RATE, 0, p);
        if (DAL_getPhase(p) == 0)
            x[0] = in[0];
        else
            y[0] = in[0];
        DAL_write_end(PORT_x, x, p);
        DAL_write_end(PORT_y, y, p);
    }
    DAL_read_end(PORT_in, in, p);
    return 0;
}
