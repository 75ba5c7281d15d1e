/* 3 has a constant that leads to a variable */
#include "dal.h"
static int *const at = (int[]){1, 2};
int compound_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += at[0]++;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
