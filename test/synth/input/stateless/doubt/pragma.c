/* 3 is in a source whose pragma may make functions weak */
#include "dal.h"
#pragma weak next
int next(int x)
{
    return x + 1;
}
int pragma_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x = next(x);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
