/* 10 last */
#include "dal.h"
static int last[2];
int pointed_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    int *l = NULL;
    l = last;
    l[1] = x;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
