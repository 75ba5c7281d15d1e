/* Hands samples on: what delays them are the initial tokens of the channel. */
#include "dal.h"

int Delay_fire(DALProcess *p)
{
    const VAR_type *in = DAL_READ_TOKENS(VAR_type, in, VAR_block, p);
    VAR_type *out = DAL_WRITE_TOKENS(VAR_type, out, VAR_block, VAR_block, 0, p);

    if (!in || !out)
        return 1;
    memcpy(out, in, VAR_block * sizeof(*out));
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
