/* 3 has 'next', which another file may define */
#include "dal.h"
__attribute__((weak)) int next(int x)
{
    return x + 1;
}
int weak_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x = next(x);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
