/* 8 count */
#include "dal.h"
static int count;
int counter_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += count++;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
