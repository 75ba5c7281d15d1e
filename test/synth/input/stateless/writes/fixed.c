/* 8 n */
#include "dal.h"
static int n, *const at = &n;
int fixed_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    (*at)++;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
