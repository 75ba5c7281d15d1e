#include "dal.h"
#include <math.h>

/* As C it builds; a device has no such function. */
int Middle_fire(DALProcess *p)
{
    DAL_WINDOW const int *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);

    DAL_foreach (blk : PORT_out) {
        DAL_WINDOW int *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, 1, 0, p);
        *out = (int)lrintf((float)in[blk]);
        DAL_write_end(PORT_out, out, p);
    }
    DAL_read_end(PORT_in, in, p);
    return 0;
}
