#include "scale.h"

void scale_init(DALProcess *p)
{
    p->local->factor = (float)(GETINDEX(0) + 1);
}

int scale_fire(DALProcess *p)
{
    TOKEN_in_t *rbuf = (TOKEN_in_t *)DAL_read_begin(PORT_in, sizeof(TOKEN_in_t), TOKEN_in_RATE, p);

    DAL_foreach (blk : PORT_out) {
        TOKEN_out_t *wbuf = (TOKEN_out_t *)DAL_write_begin(PORT_out, sizeof(TOKEN_out_t),
                                                           TOKEN_out_RATE, BLOCK_out_SIZE, blk, p);
        wbuf[0] = rbuf[blk] * p->local->factor;
        DAL_write_end(PORT_out, wbuf, p);
    }

    DAL_read_end(PORT_in, rbuf, p);
    return 0;
}

void scale_finish(DALProcess *p)
{
    (void)p;
}
