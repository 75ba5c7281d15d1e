/* Written for a generated header. */
#include <dal.h>
#include <string.h>
#include "gather.h"

#define INPUTS 3

void gather_init(DALProcess *p)
{
    (void)p;
}

int gather_fire(DALProcess *p)
{
    TOKEN_in_t *pair[INPUTS];
    int i;
    CREATEPORTVAR(port);

    for (i = 0; i < INPUTS; i++) {
        CREATEPORT(port, PORT_in, 1, i, INPUTS);
        pair[i] = (TOKEN_in_t *)DAL_read_begin(port, sizeof(TOKEN_in_t), TOKEN_in_RATE, p);
    }
    DAL_foreach (blk, PORT_out) {
        TOKEN_out_t *wbuf = (TOKEN_out_t *)DAL_write_begin(PORT_out, sizeof(TOKEN_out_t),
                                                           TOKEN_out_RATE, BLOCK_out_SIZE, blk, p);
        memcpy(wbuf, pair[blk], sizeof(TOKEN_out_t));
        DAL_write_end(PORT_out, wbuf, p);
    }
    for (i = 0; i < INPUTS; i++) {
        CREATEPORT(port, PORT_in, 1, i, INPUTS);
        DAL_read_end(port, pair[i], p);
    }
    return 0;
}

void gather_finish(DALProcess *p)
{
    (void)p;
}
