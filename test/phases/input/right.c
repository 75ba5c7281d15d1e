/* in 1,2, out 2,1. */
#include "dal.h"
#ifdef KEEPS
DALProcess *kept;
#endif
int right_fire(DALProcess *p)
{
    unsigned in[TOKEN_in_RATE_MAX] = {0}, out[TOKEN_out_RATE_MAX] = {0};
#ifdef KEEPS
    kept = p;
#endif
    DAL_read(PORT_in, in, TOKEN_in_RATE * (int)sizeof(*in), p);
    out[0] = in[0] * 7 + in[1];
    out[1] = out[0] / 3;
    DAL_write(PORT_out, out, TOKEN_out_RATE * (int)sizeof(*out), p);
    return 0;
}
