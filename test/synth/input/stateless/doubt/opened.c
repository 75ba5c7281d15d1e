/* 8 may return something else than 0 */
#include "dal.h"
int opened_fire(DALProcess *p)
{
    int x = 0;
    const int *in = DAL_read_begin(PORT_in, sizeof(x), 1, p);
    if (in && DAL_write(PORT_out, &x, sizeof(x), p) != 0)
        return 1;
    DAL_read_end(PORT_in, (void *)in, p);
    return 0;
}
