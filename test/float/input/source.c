#include "dal.h"
struct _local_states {
    unsigned next;
};
int Source_fire(DALProcess *p)
{
    DAL_write(PORT_out, &p->local->next, sizeof(unsigned), p);
    return ++p->local->next == 2000;
}
