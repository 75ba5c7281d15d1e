/* 9 b */
#include "dal.h"
static int a[2], b;
int arms_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    int *at = x & 1 ? &x : &b;
    (*at)++;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
