/* x 1,0, y 0,2 and out 1,2: collects what deal.c has dealt. */
#include "dal.h"
int join_fire(DALProcess *p)
{
    int k, number;
    for (k = 0; k < TOKEN_out_RATE; k++) {
        DAL_read(DAL_PHASE ? PORT_y : PORT_x, &number, sizeof(number), p);
        DAL_write(PORT_out, &number, sizeof(number), p);
    }
    return 0;
}
