/* 8 calls 'elsewhere', which may keep something */
#include "dal.h"
int elsewhere(int x);
int other_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x = elsewhere(x);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
