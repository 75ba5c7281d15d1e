/* 9 rows */
#include "dal.h"
static int rows[2][2];
int row_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    int(*r)[2] = rows;
    r[0][1]++;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
