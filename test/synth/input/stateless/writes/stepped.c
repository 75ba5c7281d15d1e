/* 9 past */
#include "dal.h"
static int past[4];
int stepped_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    int *at = past;
    (*at++)++;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
