/* 3 is in a source whose pragma may rename functions */
#include "dal.h"
#pragma redefine_extname cos renamed_cos
#include <math.h>
int renamed_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += (int)cos(x);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
