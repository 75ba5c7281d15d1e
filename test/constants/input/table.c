#include <dal.h>

int table_fire(DALProcess *p)
{
    const int *table = DAL_CONSTANT(table, p);
    const short *few = DAL_CONSTANT(few, p);
    const int *in = DAL_READ_TOKENS(int, in, TOKEN_in_RATE, p);
    int *out = DAL_WRITE_TOKENS(int, out, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    for (int i = 0; i < TOKEN_in_RATE; i++)
        out[i] = table[(unsigned)in[i] % CONSTANT_table_COUNT] +
                 few[(unsigned)in[i] % CONSTANT_few_COUNT];
    DAL_write_end(PORT_out, out, p);
    DAL_read_end(PORT_in, (void *)in, p);
    return 0;
}
