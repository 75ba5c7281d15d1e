/* 8 calls 'malloc', which may keep something */
#include "dal.h"
#include <stdlib.h>
int memory_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += malloc(1) != NULL;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
