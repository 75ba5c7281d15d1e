/* 3 uses variable 'table', which is not constant */
#include "dal.h"
static int table[] = {1, 2}, *const view = table;
int table_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += view[0];
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
