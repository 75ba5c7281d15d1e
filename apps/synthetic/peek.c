/* Consumer that looks at the first and at the last word of a token, and sends their sum. */
#include "dal.h"

int Consumer_fire(DALProcess *p)
{
    uint32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    uint32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    *out = in[0] + in[TOKEN_in_SIZE / 4 - 1];
    DAL_write_end(PORT_out, out, p);
    DAL_read_end(PORT_in, in, p);
    return 0;
}
