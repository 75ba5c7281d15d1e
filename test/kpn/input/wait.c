/* Reads first, writes then: two of these in a ring wait for each other. */
#include <dal.h>

#include "wait.h"

int wait_fire(DALProcess *p)
{
    uint32_t value;
    DAL_read(PORT_in, &value, sizeof(value), p);
    DAL_write(PORT_out, &value, sizeof(value), p);
    return 0;
}
