#include "dal.h"
struct _local_states {
    int next;
};
int Source_fire(DALProcess *p)
{
    int i;
    for (i = 0; i < TOKEN_out_RATE; i++) {
        DAL_write((void *)PORT_out, &p->local->next, sizeof(int), p);
        p->local->next++;
    }
    return p->local->next >= 60;
}
