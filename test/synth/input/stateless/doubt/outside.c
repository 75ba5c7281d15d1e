/* 3 is in a source that has something which is not C */
#include "dal.h"
__asm__("");
int outside_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x++;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
