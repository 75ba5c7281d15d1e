#include "dal.h"
int Sink_fire(DALProcess *p)
{
    int x;
    DAL_read((void *)PORT_in, &x, sizeof(x), p);
    DAL_printf("%d ", x);
    return 0;
}
