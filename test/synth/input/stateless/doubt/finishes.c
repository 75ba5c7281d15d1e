/* finishes.c has finishes_finish */
#include "dal.h"
void finishes_finish(DALProcess *p)
{
    (void)p;
}
int finishes_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x++;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
