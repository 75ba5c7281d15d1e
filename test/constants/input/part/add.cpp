#include <dal.h>

extern "C" int Add_fire(DALProcess *p)
{
    const uint8_t *more = DAL_CONSTANT(more, p);
    const int *in = DAL_READ_TOKENS(int, in, TOKEN_in_RATE, p);
    int *out = DAL_WRITE_TOKENS(int, out, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    for (int i = 0; i < CONSTANT_more_COUNT; i++)
        out[i] = in[i] + more[i];
    DAL_write_end((void *)PORT_out, out, p);
    DAL_read_end((void *)PORT_in, (void *)in, p);
    return 0;
}
