#include "dal.h"

struct _local_states {
    int count;
};

static int Sink_fire(DALProcess *p)
{
    int sums[TOKEN_sums_RATE];
    int k;

    DAL_read(PORT_sums, sums, sizeof(sums), p);
    for (k = 0; k < TOKEN_sums_RATE; k++)
        DAL_printf("%d\n", sums[k]);
    p->local->count++;
    return 0;
}

void Sink_finish(DALProcess *p)
{
    DAL_printf("%d rows of %d\n", p->local->count, TOKEN_sums_RATE);
}
