#include "dal.h"

int Last_fire(DALProcess *p)
{
    unsigned char count;

    DAL_read(PORT_in, &count, 1, p);
    return 0;
}
