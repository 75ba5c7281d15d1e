#include "dal.h"
static int twice(int x);
static int fourth(int x)
{
    return twice(twice(x));
}
static int twice(int x)
{
    return x > 100 ? fourth(x / 9) : 2 * x;
}
int helper_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x = fourth(x);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
