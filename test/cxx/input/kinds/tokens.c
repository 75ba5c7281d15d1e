#include "dal.h"
int Tokens_fire(DALProcess *p)
{
    const int *in = DAL_READ_TOKENS(int, in, TOKEN_in_RATE, p);
    int *out = DAL_WRITE_TOKENS(int, out, TOKEN_out_RATE, 1, 0, p);
    DAL_foreach (i, PORT_out)
        out[i] = in[i];
    DAL_write_end(PORT_out, out, p);
    DAL_read_end(PORT_in, in, p);
    return 0;
}
