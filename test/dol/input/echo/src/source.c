#include <dol.h>

typedef struct _local_states {
    int sent;
} Source_State;

int source_fire(DOLProcess *p)
{
    DOL_write((void *)"out", "a", 1, p);
    if (++p->local->sent == 5)
        DOL_detach(p);
    return 0;
}
