/* 7 calls 'printf', which may keep something */
#include "dal.h"
int prints_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    printf("%d", x);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
