/* Counts. */
#include "nap.h"

void first_init(DALProcess *p)
{
    nap_init(p);
    if (DAL_getParameterInt("count", &p->local->count, p))
        DAL_fail(p, "parameters are missing");
}

int first_fire(DALProcess *p)
{
    uint32_t number = p->local->number;
    nap_take(p);
    DAL_write(PORT_out, &number, sizeof(number), p);
    return p->local->number == p->local->count;
}
