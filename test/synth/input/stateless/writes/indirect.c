/* 9 n */
#include "dal.h"
static int n;
int indirect_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    int *at = &n, **to = &at;
    (**to)++;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
