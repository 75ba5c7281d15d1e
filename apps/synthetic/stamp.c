/*
 * Producer that leaves a token as it is but for its first word: what a channel carries when nobody
 * has to fill it. A ring's memory is zero at the start.
 */
#include "dal.h"

int Producer_fire(DALProcess *p)
{
    uint32_t *before = DAL_read_begin(PORT_before, TOKEN_before_SIZE, TOKEN_before_RATE, p);
    uint32_t *after =
        DAL_write_begin(PORT_after, TOKEN_after_SIZE, TOKEN_after_RATE, TOKEN_after_RATE, 0, p);
    uint32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    *out = *before;
    *after = *before + 1;
    DAL_write_end(PORT_out, out, p);
    DAL_write_end(PORT_after, after, p);
    DAL_read_end(PORT_before, before, p);
    return 0;
}
