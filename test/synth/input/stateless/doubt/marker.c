/* 9 may return something else than 0 */
#include "dal.h"
int marker_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    int *at = &x;
    if (!at || *at)
        return 1;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
