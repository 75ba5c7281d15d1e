#include "dal.h"
int window_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += DAL_getPhase(p) + DAL_getIndex(0, p) + DAL_rtest(PORT_in, 1, p);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
