#include "consumer.h"

void consumer_init(DALProcess *p)
{
    snprintf(p->local->name, sizeof(p->local->name), "%s", "consumer");
}

int consumer_fire(DALProcess *p)
{
    float pair[2];

    DAL_read((void *)PORT_IN, &pair[0], sizeof(float), p);
    DAL_read((void *)PORT_IN, &pair[1], sizeof(float), p);
    DAL_printf("%s: %g %g\n", p->local->name, (double)pair[0], (double)pair[1]);
    p->local->count += 2;
    p->local->sum += pair[0] + pair[1];
    return 0;
}

void consumer_finish(DALProcess *p)
{
    DAL_printf("%s: %d numbers, sum %g, index %d\n", p->local->name, p->local->count,
               (double)p->local->sum, DAL_getIndex(0, p));
}
