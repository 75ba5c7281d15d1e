/* Each number, and how many were found with it. */
#include "dal.h"

int Sink_fire(DALProcess *p)
{
    int number;
    DAL_read(PORT_number, &number, sizeof(number), p);
    DAL_printf("%d:%zu ", number, DAL_count(PORT_found, p));
    return 0;
}
