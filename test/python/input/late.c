#include "dal.h"

/* All of the first stream, then all of the second: its channel grows. */
int Late_fire(DALProcess *p)
{
    long sum = 0;
    int number;
    while (!DAL_at_end(PORT_first, p)) {
        DAL_read(PORT_first, &number, sizeof(number), p);
        sum += number;
        if (number < 0)
            break;
    }
    while (!DAL_at_end(PORT_second, p)) {
        DAL_read(PORT_second, &number, sizeof(number), p);
        sum -= number - 1;
        if (number < 0)
            break;
    }
    DAL_write(PORT_sum, &sum, sizeof(sum), p);
    return 1;
}
