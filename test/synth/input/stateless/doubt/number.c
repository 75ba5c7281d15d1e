/* 7 makes a pointer of a number */
#include "dal.h"
int number_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += *(int *)(long)x;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
