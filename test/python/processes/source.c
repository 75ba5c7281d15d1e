#include "dal.h"

struct _local_states {
    int n;
};

int Source_fire(DALProcess *p)
{
    float x[4];
    if (p->local->n == 240)
        return 1;
    for (int i = 0; i < 4; i++)
        x[i] = (float)p->local->n++;
    DAL_write((void *)PORT_out, x, sizeof(x), p);
    return 0;
}
