/* Makes a block of samples louder. */
#include "dal.h"

int Gain_fire(DALProcess *p)
{
    const float *in = DAL_READ_TOKENS(float, in, TOKEN_in_RATE, p);
    float *out = DAL_WRITE_TOKENS(float, out, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    long factor;

    if (!in || !out)
        return 1;
    DAL_getParameterInt("factor", &factor, p);
    for (int i = 0; i < TOKEN_in_RATE; i++)
        out[i] = (float)factor * in[i];
    DAL_write_end(PORT_out, out, p);
    DAL_read_end(PORT_in, in, p);
    return 0;
}
