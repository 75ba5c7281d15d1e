/* 8 n */
#include "dal.h"
static int n;
int assembled_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    __asm__("" : "+m"(n) : "r"(x));
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
