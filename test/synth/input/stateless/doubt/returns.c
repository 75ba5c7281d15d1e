/* 8 may return something else than 0 */
#include "dal.h"
int returns_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return x == 9;
}
