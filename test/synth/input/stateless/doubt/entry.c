/* 11 may return something else than 0 */
#include "dal.h"
int entry_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    switch (x) {
    default:
        if (DAL_read(PORT_in, &x, sizeof(x), p) < 0) {
        case 9:;
            return 1;
        }
    }
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
