/* 13 may return something else than 0 */
#include "dal.h"
#include <stddef.h>
int mark_fire(DALProcess *p)
{
    char x[4];
    const char *end = NULL;
    DAL_read(PORT_in, x, sizeof(x), p);
    DAL_write(PORT_out, x, sizeof(x), p);
    if (x[0] == 9)
        end = &x[0];
    if (end)
        return 1;
    return 0;
}
