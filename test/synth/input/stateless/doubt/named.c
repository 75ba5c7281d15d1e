/* 8 calls 'prefetch', which may keep something */
#include "dal.h"
#include "header.h"
int named_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += prefetch(x);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
