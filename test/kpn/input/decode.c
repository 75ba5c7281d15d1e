/* Pairs become runs again, each written as one window of its length. */
#include <dal.h>

#include "decode.h"

int decode_fire(DALProcess *p)
{
    uint32_t run[2], i, *out;
    DAL_read(PORT_in, run, sizeof(run), p);
    out = DAL_write_begin(PORT_out, sizeof(*out), run[1], run[1], 0, p);
    for (i = 0; i < run[1]; i++)
        out[i] = run[0];
    DAL_write_end(PORT_out, out, p);
    return 0;
}
