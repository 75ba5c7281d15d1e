#include "dal.h"

struct _local_states {
    long sum;
};

int C_fire(DALProcess *p)
{
    int far, near;
    DAL_read("far", &far, sizeof(far), p);
    DAL_read("near", &near, sizeof(near), p);
    p->local->sum += far == near ? far : -1000000;
    return 0;
}

void C_finish(DALProcess *p)
{
    DAL_printf("sum %ld\n", p->local->sum);
}
