#include "dal.h"
int nulls_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    const int *at = NULL;
    at = x & 1 ? &x : NULL;
    if (at == (int *)0)
        x++;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
