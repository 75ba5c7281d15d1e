/* 7 calls 'DAL_setLength', which may keep something */
#include "dal.h"
int length_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    DAL_setLength(7, p);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
