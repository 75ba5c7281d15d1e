#include "dal.h"

struct _local_states {
    int firing;
};

int ramp_fire(DALProcess *p)
{
    int tokens[100];
    if (p->local->firing == 50)
        return 1;
    for (int i = 0; i < 100; i++)
        tokens[i] = 100 * p->local->firing + i;
    p->local->firing++;
    DAL_write(PORT_out, tokens, sizeof(tokens), p);
    return 0;
}
