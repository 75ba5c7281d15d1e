/* 12 calls a function through a pointer */
#include "dal.h"
static int one(int x)
{
    return x + 1;
}
int pointer_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    int (*call)(int) = one;
    x = call(x);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
