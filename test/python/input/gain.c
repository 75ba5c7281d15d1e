#include "dal.h"

int Gain_fire(DALProcess *p)
{
    float x[64];
    long add;
    DAL_getParameterInt("add", &add, p);
    DAL_read(PORT_in, x, sizeof(x), p);
    if (x[0] == -1)
        DAL_fail(p, "a sample of -1");
    for (int i = 0; i < 64; i++)
        x[i] = x[i] * VAR_factor + add;
    DAL_write(PORT_out, x, sizeof(x), p);
    return 0;
}
