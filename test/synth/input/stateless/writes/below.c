/* 6 count */
#include "dal.h"
static int count;
static int next(void)
{
    return ++count;
}
int below_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += next();
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
