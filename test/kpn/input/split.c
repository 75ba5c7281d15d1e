/* Sends bursts of numbers to the left, then as many to the right. */
#include <dal.h>

#include "split.h"

int split_fire(DALProcess *p)
{
    uint32_t value;
    long burst = 0, i;
    DAL_getParameterInt("burst", &burst, p);
    for (i = 0; i < 2 * burst; i++) {
        DAL_read(PORT_in, &value, sizeof(value), p);
        DAL_write(i < burst ? PORT_left : PORT_right, &value, sizeof(value), p);
    }
    return 0;
}
