/* Passes on the last of three. */
#include "dal.h"

int place_third_fire(DALProcess *p)
{
    int v[3];
    DAL_read(PORT_i, v, sizeof(v), p);
    DAL_write(PORT_o, &v[2], sizeof(int), p);
    return 0;
}
