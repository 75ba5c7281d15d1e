/* 7 makes a pointer of a number */
#include "dal.h"
#define COUNTER 0x40001000
int address_fire(DALProcess *p)
{
    char x[4];
    x[0] = (char)(*(volatile int *)COUNTER)++;
    DAL_read(PORT_in, x, sizeof(x), p);
    DAL_write(PORT_out, x, sizeof(x), p);
    return 0;
}
