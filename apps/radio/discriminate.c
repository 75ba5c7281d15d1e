/* Discriminate: the multiplex, which is the station's frequency; the arithmetic is in angle.h. */
#include "dal.h"
#include "discriminate.h"

int Discriminate_fire(DALProcess *p)
{
    float *before = DAL_read_begin(PORT_before, TOKEN_before_SIZE, TOKEN_before_RATE, p);
    float *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    float *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    if (!before || !in || !out)
        return 1;
    discriminate_block(before, in, out, VAR_block);
    DAL_read_end(PORT_before, before, p);
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
