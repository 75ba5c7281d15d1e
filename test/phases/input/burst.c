/* out 2,0,1: numbers, until the phase in which `last` would be the next one. KEEPS hands p to a
 * function that may keep it. */
#include "dal.h"
struct _local_states {
    long last;
    int number;
};
#ifdef KEEPS
DALProcess *kept;
#endif
void burst_init(DALProcess *p)
{
    DAL_getParameterInt("last", &p->local->last, p);
}
int burst_fire(DALProcess *p)
{
    int k;
#ifdef KEEPS
    kept = p;
    p = kept;
#endif
    for (k = 0; k < TOKEN_out_RATE; k++) {
        p->local->number++;
        DAL_write(PORT_out, &p->local->number, sizeof(int), p);
    }
    return p->local->number >= p->local->last;
}
