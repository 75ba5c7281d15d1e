#include "dal.h"

int place_pair_fire(DALProcess *p)
{
    int s, v;
    DAL_read(PORT_state, &s, sizeof(s), p);
    DAL_read(PORT_i, &v, sizeof(v), p);
    DAL_printf("%d.%d ", s, v);
    return 0;
}
