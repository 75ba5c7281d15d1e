/* Passes on. */
#include "nap.h"

void second_init(DALProcess *p)
{
    nap_init(p);
}

int second_fire(DALProcess *p)
{
    uint32_t number;
    DAL_read(PORT_in, &number, sizeof(number), p);
    nap_take(p);
    DAL_write(PORT_out, &number, sizeof(number), p);
    return 0;
}
