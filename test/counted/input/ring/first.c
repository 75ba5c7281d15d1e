#include "dal.h"

struct _local_states {
    int fired;
};

int First_fire(DALProcess *p)
{
    if (p->local->fired == 20)
        return 1;
    DAL_write(PORT_out, &p->local->fired, sizeof(int), p);
    p->local->fired++;
    return 0;
}
