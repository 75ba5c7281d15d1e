/* 8 past */
#include "dal.h"
static int past[4];
int behind_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    (x & 3)[past]++;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
