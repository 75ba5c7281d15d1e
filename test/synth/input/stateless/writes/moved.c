/* 8 n */
#include "dal.h"
static int n;
int moved_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    __builtin_memcpy(&n, &x, sizeof(n));
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
