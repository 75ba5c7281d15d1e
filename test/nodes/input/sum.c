/* Sends on what comes, and a part of it back. */
#include <dal.h>

#include "Sum.h"

int Sum_fire(DALProcess *p)
{
    uint64_t value, back;
    DAL_read(PORT_in, &value, sizeof(value), p);
    back = value >> 7;
    DAL_write(PORT_out, &value, sizeof(value), p);
    DAL_write(PORT_back, &back, sizeof(back), p);
    return 0;
}
