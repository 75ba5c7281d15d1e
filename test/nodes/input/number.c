#include <dal.h>

struct _local_states {
    int number;
};

int Number_fire(DALProcess *p)
{
    p->local->number++;
    DAL_write(PORT_fresh, &p->local->number, sizeof(int), p);
    DAL_write(PORT_ring, &p->local->number, sizeof(int), p);
    return p->local->number == 100;
}
