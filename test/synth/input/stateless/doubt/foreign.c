/* 8 uses 'gain', which is of another file */
#include "dal.h"
extern const int gain;
int foreign_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += gain;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
