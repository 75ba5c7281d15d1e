/* 9 may return something else than 0 */
#include "dal.h"
#define DONE 1
int done_fire(DALProcess *p)
{
    char x[4];
    DAL_read(PORT_in, x, sizeof(x), p);
    if (x[0] == 9)
        return DONE;
    DAL_write(PORT_out, x, sizeof(x), p);
    return 0;
}
