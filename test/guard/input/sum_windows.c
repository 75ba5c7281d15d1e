/* Prints a sum of all tokens. */
#include "dal.h"

struct _local_states {
    long sum;
};

static void add(DALProcess *p, long value)
{
    p->local->sum = (p->local->sum * 31 + value) % 1000003;
}

int sum_windows_fire(DALProcess *p)
{
    const int *in = DAL_read_begin(PORT_in, sizeof(int), TOKEN_in_RATE, p);
    const unsigned char *bytes = DAL_read_begin(PORT_bytes, 1, TOKEN_bytes_RATE, p);
    for (int i = 0; i < TOKEN_in_RATE; i++)
        add(p, in[i] + bytes[i]);
    DAL_read_end(PORT_bytes, bytes, p);
    DAL_read_end(PORT_in, in, p);
    return 0;
}

void sum_windows_finish(DALProcess *p)
{
    DAL_printf("%ld\n", p->local->sum);
}
