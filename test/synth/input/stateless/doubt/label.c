/* 9 may return something else than 0 */
#include "dal.h"
int label_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    if (DAL_read(PORT_in, &x, sizeof(x), p) < 0) {
    end:;
        return 1;
    }
    if (x == 9)
        goto end;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
