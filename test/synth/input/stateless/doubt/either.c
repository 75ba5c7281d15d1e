/* 8 may return something else than 0 */
#include "dal.h"
int either_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    if (x == 7)
        return 1;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
