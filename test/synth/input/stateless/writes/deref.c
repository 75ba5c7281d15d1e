/* 8 past */
#include "dal.h"
static int past[4];
int deref_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    *(past + 1) = x;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
