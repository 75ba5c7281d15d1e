#include "dal.h"
int Team_fire(DALProcess *p)
{
    int x[4] = {0}, i, y;
    DAL_read((void *)PORT_in, &y, sizeof(y), p);
#pragma omp parallel for
    for (i = 0; i < 4; i++)
        x[i] = y;
    DAL_write((void *)PORT_out, &x[2], sizeof(y), p);
    return 0;
}
