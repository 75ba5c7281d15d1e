#include "dal.h"

int Middle_fire(DALProcess *p)
{
    DAL_WINDOW int *out = DAL_write_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, 1, 0, p);
    DAL_WINDOW const int *in = DAL_read_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, p);

    DAL_foreach (blk : PORT_out)
        out[blk] = in[blk];
    DAL_read_end(PORT_out, in, p);
    DAL_write_end(PORT_in, out, p);
    return 0;
}
