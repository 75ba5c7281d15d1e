#include "dal.h"

struct _local_states {
    int n;
};

int place_few_fire(DALProcess *p)
{
    DAL_write(PORT_o, &p->local->n, sizeof(int), p);
    return ++p->local->n >= 9;
}
