/* 8 count */
#include "dal.h"
int inner_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    static int count;
    count += x;
    x = count;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
