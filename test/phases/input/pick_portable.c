/* As pick.c, for a core and for a device. */
#include "dal.h"
int pick_portable_fire(DALProcess *p)
{
    DAL_WINDOW const int *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    int most[TOKEN_out_RATE_MAX], k;
    for (k = 0; k < TOKEN_out_RATE; k++)
        most[k] = in[0] + k * 1000 * DAL_PHASE;
    DAL_foreach (blk : PORT_out) {
        DAL_WINDOW int *out =
            DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, BLOCK_out_SIZE, blk, p);
        for (int i = 0; i < BLOCK_out_SIZE; i++)
            out[i] = most[i];
        DAL_write_end(PORT_out, out, p);
    }
    DAL_read_end(PORT_in, in, p);
    return 0;
}
