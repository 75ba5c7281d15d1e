/* 12 has pointers in a union, 'at' */
#include "dal.h"
union both {
    long number;
    int *at;
};
int mixed_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    union both both = {.number = x};
    x += *both.at;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
