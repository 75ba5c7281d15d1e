#include "dal.h"

struct _local_states {
    int n, most;
};

void live_init(DALProcess *p)
{
    DAL_getParameterInt("most", &p->local->most, p);
}

int live_fire(DALProcess *p)
{
    int gain;
    if (p->local->n++ == p->local->most)
        return 1;
    DAL_getParameterInt("gain", &gain, p);
    DAL_write(PORT_out, &gain, sizeof(int), p);
    return 0;
}
