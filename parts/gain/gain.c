/* Multiplies samples by a factor. */
#include "dal.h"

int Gain_fire(DALProcess *p)
{
    const VAR_type *in = DAL_READ_TOKENS(VAR_type, in, VAR_block, p);
    VAR_type *out = DAL_WRITE_TOKENS(VAR_type, out, VAR_block, VAR_block, 0, p);
    double factor;
    VAR_type by;

    if (DAL_getParameterDouble("factor", &factor, p))
        return 1;
    by = (VAR_type)factor;
    for (int i = 0; i < VAR_block; i++)
        out[i] = in[i] * by;
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
