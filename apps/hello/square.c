/* Square, for a core: one firing squares one number, straight in the memory of the channels, and
 * adds what the parameter says. */
#include "dal.h"

int Square_fire(DALProcess *p)
{
    int32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    int32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    long add = 0;

    if (!in || !out)
        return 1;
    DAL_getParameterInt("add", &add, p);
    *out = *in * *in + (int32_t)add;
    DAL_write_end(PORT_out, out, p);
    DAL_read_end(PORT_in, in, p);
    return 0;
}
