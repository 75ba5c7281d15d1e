#define _GNU_SOURCE
#include "dal.h"

#include "source.h"

int Source_init(DALProcess *p)
{
    p->local->row = 0;
    return 0;
}

int Source_fire(DALProcess *p)
{
    int lane, k;

    for (lane = 0; lane < VAR_lanes; lane++) {
        CREATEPORTVAR(port);
        int *out;
        CREATEPORT(port, "out", 1, lane, VAR_lanes);
        out = DAL_write_begin(port, TOKEN_out_SIZE, TOKEN_out_RATE, BLOCK_out_SIZE, 0, p);
        for (k = 0; k < VAR_row; k++)
            out[k] = p->local->row * VAR_row + k + lane + VAR_shift;
        DAL_write_end(port, out, p);
    }
    return ++p->local->row == ROWS;
}
