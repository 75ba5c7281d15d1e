#include "dal.h"

int around_fire(DALProcess *p)
{
    int n, v;
    for (n = 0; n < 64; n++)
        DAL_write(PORT_o, &n, sizeof(n), p);
    for (n = 0; n < 64; n++)
        DAL_read(PORT_i, &v, sizeof(v), p);
    return 1;
}
