/* 9 is_ready */
#include "dal.h"
static int is_ready;
int ready_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    if (!is_ready)
        is_ready = 1;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
