#include <dol.h>
#include <stdio.h>

#include "length.h"

#define PORT_IN 100

typedef struct _local_states {
    int count;
    float sum;
} Consumer_State;

int consumer_fire(DOLProcess *p)
{
    float x;
    DOL_read((void *)PORT_IN, &x, sizeof(float), p);
    p->local->sum += x;
    if (++p->local->count == LENGTH) {
        printf("%d numbers, the last %g, together %g\n", p->local->count, x, p->local->sum);
        DOL_detach(p);
        return -1;
    }
    return 0;
}
