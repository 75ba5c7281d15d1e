/* 12 n */
#include "dal.h"
static int *get(void)
{
    static int n;
    return &n;
}
int returned_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    *get() += 1;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
