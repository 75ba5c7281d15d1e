#include <stdio.h>
#include <string.h>

#include "generator.h"

int generator_init(DALProcess *p)
{
    p->local->index = 0;
    p->local->len = LENGTH;
    return 0;
}

int generator_fire(DALProcess *p)
{
    if (p->local->index < p->local->len) {
        float x = (float)p->local->index;
        DAL_write((void *)PORT_OUT, &(x), sizeof(float), p);
        p->local->index++;
    }

    if (p->local->index >= p->local->len) {
        DAL_send_event((void *)"generator_done", p);
        return 1;
    }

    return 0;
}

int generator_finish(DALProcess *p)
{
    return p->local->index != p->local->len;
}
