#include <dol.h>

typedef struct _local_states {
    int next;
} Numbers_State;

int numbers_fire(DOLProcess *p)
{
    DOL_write((void *)"out", &p->local->next, sizeof(int), p);
    if (++p->local->next == 10)
        DOL_detach(p);
    return 0;
}
