/* Tells of each sample whether it reaches a level. */
#include "dal.h"

int Threshold_fire(DALProcess *p)
{
    const VAR_type *in = DAL_READ_TOKENS(VAR_type, in, VAR_block, p);
    uint8_t *out = DAL_WRITE_TOKENS(uint8_t, out, VAR_block, VAR_block, 0, p);
    double level;

    if (!in || !out || DAL_getParameterDouble("level", &level, p))
        return 1;
    for (int i = 0; i < VAR_block; i++)
        out[i] = (double)in[i] >= level ? VAR_high : VAR_low;
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
