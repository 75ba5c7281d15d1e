#include "dal.h"
DALProcess *kept;
int Keeps_fire(DALProcess *p)
{
    int x;
    kept = p;
    DAL_read((void *)PORT_in, &x, sizeof(x), kept);
    DAL_write((void *)PORT_out, &x, sizeof(x), kept);
    return 0;
}
