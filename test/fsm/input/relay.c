#include "dal.h"
int Relay_fire(DALProcess *p)
{
    while (!DAL_at_end(PORT_in, p)) {
        long number;
        DAL_read(PORT_in, &number, sizeof(number), p);
        DAL_write(PORT_out, &number, sizeof(number), p);
    }
    return 1;
}
