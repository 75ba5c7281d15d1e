#include "dal.h"
int plain_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x = 3 * x + 1;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
