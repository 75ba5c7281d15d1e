#include <dol.h>

typedef struct _local_states {
    int index;
} Producer_State;

int producer_fire(DOLProcess *p)
{
    float sample = (float)(1 << p->local->index);
    DOL_write((void *)"out", &sample, sizeof(sample), p);
    if (++p->local->index == 10)
        DOL_detach(p);
    return 0;
}
