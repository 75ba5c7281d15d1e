/* 6 calls 'rand', which may keep something */
#include "dal.h"
#include <stdlib.h>
static int next(void)
{
    return rand();
}
int random_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += next();
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
