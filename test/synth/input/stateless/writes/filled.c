/* 8 room */
#include "dal.h"
static char room[64];
int filled_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    memcpy(room, &x, sizeof(x));
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
