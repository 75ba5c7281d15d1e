/* 11 may return something else than 0 */
#include "dal.h"
#include <string.h>
int search_fire(DALProcess *p)
{
    char x[4] = "";
    DAL_read(PORT_in, x, sizeof(x), p);
    DAL_write(PORT_out, x, sizeof(x), p);
    char *found = memchr(x, 9, sizeof(x));
    if (found != NULL)
        return 1;
    return 0;
}
