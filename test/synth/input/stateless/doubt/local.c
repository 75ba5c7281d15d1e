/* 7 uses 'local' of its process */
#include "dal.h"
int local_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += p->local == NULL;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
