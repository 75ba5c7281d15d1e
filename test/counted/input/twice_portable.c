#include "dal.h"

int Twice_fire(DALProcess *p)
{
    int count = (int)DAL_count(PORT_in, p);
    DAL_WINDOW const unsigned *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, (size_t)count, p);
    DAL_WINDOW unsigned *out =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    DAL_foreach (i : PORT_out) {
        if (i < 2 * count) {
            out[2 * i] = in[i / 2];
            out[2 * i + 1] = (unsigned)i;
        }
    }
    DAL_write_end(PORT_out, out, p);
    DAL_set_count(PORT_out, 2 * (size_t)count, p);
    DAL_read_end(PORT_in, in, p);
    return 0;
}
