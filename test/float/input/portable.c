#include "dal.h"
#include "calc.h"
int portable_fire(DALProcess *p)
{
    DAL_WINDOW const unsigned *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    DAL_foreach (blk : PORT_out) {
        DAL_WINDOW real *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, 1, blk, p);
        out[0] = calc(in[0]);
        DAL_write_end(PORT_out, out, p);
    }
    DAL_read_end(PORT_in, in, p);
    return 0;
}
