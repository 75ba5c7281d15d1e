/* 4 is in a source that gives a function another name */
#include "dal.h"
#include <math.h>
double cos(double) __asm__("labelled_cos");
double labelled_cos(double x)
{
    static int n;
    return x + n++;
}
int labelled_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += (int)cos(x);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
