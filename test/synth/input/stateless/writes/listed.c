/* 9 n */
#include "dal.h"
static int n;
int listed_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    int *at[2] = {&x, &n};
    (*at[1])++;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
