#include "dal.h"
#include <math.h>
#include <stdlib.h>
int library_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    double part, y[4];
    memset(y, 0, sizeof(y));
    x += (int)(sinf(1.0f) + sqrt(2) + modf(fabsl(x), &part)) + abs(x) + (INFINITY > x) +
         __builtin_popcount(x) + __builtin_expect(x, 1) + (int)strlen("abc");
    memmove(&x, &x, sizeof(x));
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
