#include <dal.h>

int pass_fire(DALProcess *p)
{
    DAL_WINDOW const char *in = DAL_READ_TOKENS(char, in, TOKEN_in_RATE, p);
    DAL_WINDOW char *out = DAL_WRITE_TOKENS(char, out, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    DAL_foreach (blk : PORT_out)
        for (int i = 0; i < TOKEN_in_RATE; i++)
            out[i] = in[i];
    DAL_write_end(PORT_out, out, p);
    DAL_read_end(PORT_in, in, p);
    return 0;
}
