#include "dal.h"

int Gain_fire(DALProcess *p)
{
    float x[64];
    long by;
    DAL_getParameterInt("by", &by, p);
    DAL_read(PORT_in, x, sizeof(x), p);
    for (int i = 0; i < 64; i++)
        x[i] *= (float)by;
    DAL_write(PORT_out, x, sizeof(x), p);
    return 0;
}
