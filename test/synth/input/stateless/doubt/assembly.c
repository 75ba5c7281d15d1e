/* 7 has something that is not C */
#include "dal.h"
int assembly_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    __asm__("" : "+r"(x));
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
