#include "dal.h"
int Sink_fire(DALProcess *p)
{
    int number;
    DAL_read(PORT_in, &number, sizeof(number), p);
    DAL_printf("%d\n", number);
    return 0;
}
