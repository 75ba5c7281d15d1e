#include "dal.h"
int marked_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    int y __attribute__((unused)) = x;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
