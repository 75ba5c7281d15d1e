/* in 2,1 and out 1: FAULT is what goes wrong in the third cycle. */
#include "dal.h"
struct _local_states {
    int cycles;
};
int wrong_fire(DALProcess *p)
{
    int numbers[2], k, at_fault = p->local->cycles == 2;
    p->local->cycles += DAL_PHASE;
    for (k = 0; k < (at_fault && FAULT == 1 ? 2 : TOKEN_in_RATE); k++)
        DAL_read(PORT_in, &numbers[k], sizeof(int), p);
    if (!(at_fault && FAULT == 2 && DAL_PHASE == 1))
        DAL_write(PORT_out, numbers, sizeof(int), p);
    return 0;
}
