#include "dal.h"

struct _local_states {
    int n;
};

int counts_fire(DALProcess *p)
{
    if (p->local->n == 5)
        return 1;
    DAL_write(PORT_out, &p->local->n, sizeof(int), p);
    p->local->n++;
    return 0;
}
