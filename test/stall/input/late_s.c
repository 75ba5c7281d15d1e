#include "dal.h"

struct _local_states {
    int n;
};

int late_s_fire(DALProcess *p)
{
    DAL_write(PORT_o, &p->local->n, sizeof(int), p);
    return ++p->local->n == 4;
}
