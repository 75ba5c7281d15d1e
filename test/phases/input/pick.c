/* out 1,0,2: of three numbers the first, and the third twice, the second time with its phase. */
#include "dal.h"
int pick_fire(DALProcess *p)
{
    const int *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    int *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    int most[TOKEN_out_RATE_MAX], k;
    for (k = 0; k < TOKEN_out_RATE; k++)
        most[k] = *in + k * 1000 * DAL_getPhase(p);
    for (k = 0; k < TOKEN_out_RATE; k++)
        out[k] = most[k];
    DAL_write_end(PORT_out, out, p);
    DAL_read_end(PORT_in, (void *)in, p);
    return 0;
}
