/* The numbers from 1 to `last`. */
#include "dal.h"
struct _local_states {
    long last;
    int number;
};
void source_init(DALProcess *p)
{
    DAL_getParameterInt("last", &p->local->last, p);
}
int source_fire(DALProcess *p)
{
    p->local->number++;
    DAL_write(PORT_out, &p->local->number, sizeof(int), p);
    return p->local->number == p->local->last;
}
