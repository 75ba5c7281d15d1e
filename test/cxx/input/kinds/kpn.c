#include "dal.h"
int Kpn_fire(DALProcess *p)
{
    int x;
    DAL_read((void *)PORT_in, &x, sizeof(x), p);
    DAL_write((void *)PORT_out, &x, sizeof(x), p);
    return 0;
}
