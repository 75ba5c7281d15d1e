/* 8 uses variable 'kept', which is not constant */
#include "dal.h"
static _Thread_local int kept;
int thread_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += kept++;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
