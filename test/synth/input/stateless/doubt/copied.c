/* 8 takes bytes for pointers, or pointers for bytes */
#include "dal.h"
int copied_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    int *at;
    memcpy(&at, &x, sizeof(at));
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
