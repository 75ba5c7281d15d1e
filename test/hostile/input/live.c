#include "dal.h"

struct _local_states {
    long most;
    int n;
};

void live_init(DALProcess *p)
{
    DAL_getParameterInt("most", &p->local->most, p);
}

int live_fire(DALProcess *p)
{
    long gain;
    int token;
    if (p->local->n++ == p->local->most)
        return 1;
    DAL_getParameterInt("gain", &gain, p);
    token = (int)gain;
    DAL_write(PORT_out, &token, sizeof(token), p);
    return 0;
}
