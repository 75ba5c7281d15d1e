/* 4 uses variable 'n', which is not constant */
#include "dal.h"
static int n;
static int extent_of(at) int (*at)[(n++ % 50) + 1];
{
    return (int)sizeof(*at);
}
int older_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += extent_of(NULL);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
