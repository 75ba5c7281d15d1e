/* 8 makes a pointer of a number */
#include "dal.h"
int offset_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    long at = x;
    x += *((char *)NULL + at);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
