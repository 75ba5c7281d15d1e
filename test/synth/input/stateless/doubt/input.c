/* 5 writes the window of an input */
#include "dal.h"
static void half(int *at)
{
    *at /= 2;
}
int input_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    half(DAL_read_begin(PORT_in, sizeof(x), 1, p));
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
