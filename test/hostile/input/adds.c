#include "dal.h"
#include <stdio.h>

struct _local_states {
    int sum;
};

int adds_fire(DALProcess *p)
{
    int x;
    DAL_read(PORT_in, &x, sizeof(x), p);
    p->local->sum += x;
    return 0;
}

void adds_finish(DALProcess *p)
{
    DAL_printf("%d\n", p->local->sum);
}
