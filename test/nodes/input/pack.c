/* Of each number as many bytes as its last digit says: a rate that nobody knows. */
#include <dal.h>

#include "Pack.h"

int Pack_fire(DALProcess *p)
{
    uint64_t value;
    if (DAL_at_end(PORT_in, p))
        return 1;
    DAL_read(PORT_in, &value, sizeof(value), p);
    for (uint64_t i = 0; i < value % 10; i++) {
        unsigned char byte = (unsigned char)(value >> i);
        DAL_write(PORT_out, &byte, 1, p);
    }
    return 0;
}
