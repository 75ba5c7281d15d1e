/* 8 calls '__errno_location', which may keep something */
#include "dal.h"
#include <errno.h>
int error_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += errno;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
