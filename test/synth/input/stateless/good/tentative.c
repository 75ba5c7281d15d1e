#include "dal.h"
static const int gaps[4];
int tentative_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += gaps[x & 3];
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
