/* Numbers: 0, 1, 2.. for as many frames as the parameter `frames` says. */
#include "dal.h"

struct _local_states {
    long frames;
    uint32_t next;
};

void Numbers_init(DALProcess *p)
{
    DAL_getParameterInt("frames", &p->local->frames, p);
}

int Numbers_fire(DALProcess *p)
{
    DAL_write(PORT_out, &p->local->next, sizeof(p->local->next), p);
    return ++p->local->next >= p->local->frames;
}
