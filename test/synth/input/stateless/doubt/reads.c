/* 8 uses variable 'gain', which is not constant */
#include "dal.h"
static int gain = 2;
int reads_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x *= gain;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
