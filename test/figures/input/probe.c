#include "dal.h"

struct _local_states {
    int next;
};

/* Two samples a firing, 1 to 100, the last two with the end. */
int Probe_fire(DALProcess *p)
{
    int samples[2] = {p->local->next + 1, p->local->next + 2};

    DAL_write((void *)PORT_samples, samples, sizeof(samples), p);
    p->local->next += 2;
    return p->local->next == 100;
}
