#include "dal.h"

int Middle_fire(DALProcess *p)
{
    int *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    int *out;

    out = (int *)DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, 1, 0, p);
    DAL_foreach (blk : PORT_out)
        out[blk] = in[blk];
    DAL_write_end(PORT_out, out, p);
    DAL_read_end(PORT_in, in, p);
    return 0;
}

static void loop(DALProcess *p)
{
    DAL_foreach (blk : PORT_out)
        p = p;
}
