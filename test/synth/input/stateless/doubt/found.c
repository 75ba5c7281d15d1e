/* 12 may return something else than 0 */
#include "dal.h"
#include <string.h>
int found_fire(DALProcess *p)
{
    char x[4] = "";
    DAL_read(PORT_in, x, sizeof(x), p);
    DAL_write(PORT_out, x, sizeof(x), p);
    if (NULL == DAL_read_begin(PORT_in, sizeof(x), 1, p))
        return 1;
    if (memchr(x, 9, sizeof(x)))
        return 1;
    return 0;
}
