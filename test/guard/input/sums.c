#include "dal.h"

struct _local_states {
    long sum;
};

int sums_fire(DALProcess *p)
{
    int tokens[100];
    DAL_read(PORT_in, tokens, sizeof(tokens), p);
    for (int i = 0; i < 100; i++)
        p->local->sum = p->local->sum * 31 % 1000003 + tokens[i];
    return 0;
}

void sums_finish(DALProcess *p)
{
    DAL_printf("%ld\n", p->local->sum);
}
