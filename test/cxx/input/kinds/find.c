#include "dal.h"
int Find_fire(DALProcess *p)
{
    int x;
    DAL_read((void *)PORT_in, &x, sizeof(x), p);
    if (x % 3)
        DAL_write((void *)PORT_out, &x, sizeof(x), p);
    return 0;
}
