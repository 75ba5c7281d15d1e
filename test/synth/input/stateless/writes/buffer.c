/* 8 frame */
#include "dal.h"
static int frame[1];
int buffer_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    DAL_read(PORT_in, frame, 0, p);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
