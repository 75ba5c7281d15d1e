/* x 1,0,0 and y 0,1,1: deals out. */
#include "dal.h"
int deal_fire(DALProcess *p)
{
    int number;
    DAL_read(PORT_in, &number, sizeof(number), p);
    if (DAL_PHASE == 0)
        DAL_write(PORT_x, &number, sizeof(number), p);
    else
        DAL_write(PORT_y, &number, sizeof(number), p);
    return 0;
}
