#include "dal.h"
#include <tgmath.h>
int generic_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    float part = (float)x;
    x += (int)sqrt(part) + (int)fabs(part);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
