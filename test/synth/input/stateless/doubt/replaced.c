/* 15 uses variable 'last', which is not constant */
#include "dal.h"
#include <math.h>
int replaced_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x = (int)tgamma(x);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
double tgamma(double v)
{
    static double last;
    return last += v;
}
