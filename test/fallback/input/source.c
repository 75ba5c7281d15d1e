#include "dal.h"
struct _local_states {
    int next;
};
int Source_fire(DALProcess *p)
{
    DAL_write(PORT_out, &p->local->next, sizeof(int), p);
    return ++p->local->next == 1000;
}
