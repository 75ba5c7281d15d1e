#include "dal.h"

struct _local_states {
    int number;
};

int A_fire(DALProcess *p)
{
    int number = p->local->number++;
    DAL_write("far", &number, sizeof(number), p);
    DAL_write("near", &number, sizeof(number), p);
    return p->local->number == 1000;
}
