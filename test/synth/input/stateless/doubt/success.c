/* 7 may return something else than 0 */
#include "dal.h"
int success_fire(DALProcess *p)
{
    int x = 0;
    if (DAL_read(PORT_in, &x, sizeof(x), p) >= 0)
        return 100 / (x - 1) > 1000;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
