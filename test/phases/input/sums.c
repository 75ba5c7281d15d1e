/* out 0,1: sums of every other number, since with two tokens in the loop each comes back in the
 * next cycle, to the phase that wrote it. */
#include "dal.h"
int sums_fire(DALProcess *p)
{
    int number, sum;
    DAL_read(PORT_in, &number, sizeof(int), p);
    DAL_read(PORT_back, &sum, sizeof(int), p);
    sum += number;
    DAL_write(PORT_forth, &sum, sizeof(int), p);
    if (DAL_PHASE)
        DAL_write(PORT_out, &sum, sizeof(int), p);
    return 0;
}
