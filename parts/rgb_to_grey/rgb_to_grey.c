/* Makes pictures grey: 0.299 of red, 0.587 of green and 0.114 of blue, in parts of 65536. */
#include "dal.h"

int Grey_fire(DALProcess *p)
{
    const uint8_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, 1, p);
    uint8_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);

    if (!in || !out)
        return 1;
    for (long i = 0; i < TOKEN_out_SIZE; i++)
        out[i] =
            (uint8_t)((19595 * in[3 * i] + 38470 * in[3 * i + 1] + 7471 * in[3 * i + 2] + 32768) >>
                      16);
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
