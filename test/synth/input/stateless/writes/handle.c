/* 8 room */
#include "dal.h"
static char *room;
int handle_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    room = NULL;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
