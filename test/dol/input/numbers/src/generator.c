#include "generator.h"

void generator_init(DOLProcess *p)
{
    p->local->index = 0;
    p->local->length = LENGTH;
}

int generator_fire(DOLProcess *p)
{
    if (p->local->index < p->local->length) {
        float x = (float)p->local->index;
        DOL_write((void *)PORT_OUT, &x, sizeof(float), p);
        p->local->index++;
    }
    if (p->local->index >= p->local->length) {
        DOL_detach(p);
        return -1;
    }
    return 0;
}
