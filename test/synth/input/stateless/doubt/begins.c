/* begins.c has begins_init */
#include "dal.h"
void begins_init(DALProcess *p)
{
    (void)p;
}
int begins_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x++;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
