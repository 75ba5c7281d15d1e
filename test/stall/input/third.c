/* Expects to be sent what first counts. */
#include "nap.h"

void third_init(DALProcess *p)
{
    nap_init(p);
}

int third_fire(DALProcess *p)
{
    uint32_t number;
    DAL_read(PORT_in, &number, sizeof(number), p);
    if (number != p->local->number)
        DAL_fail(p, "%u instead of %u", number, p->local->number);
    nap_take(p);
    return 0;
}

void third_finish(DALProcess *p)
{
    DAL_printf("%u numbers\n", p->local->number);
}
