#include "scatter.h"

void scatter_init(DALProcess *p)
{
    p->local->round = 0;
}

int scatter_fire(DALProcess *p)
{
    int i;
    float x;
    CREATEPORTVAR(port);

    for (i = 0; i < N; i++) {
        DAL_read((void *)PORT_IN, &x, sizeof(float), p);
        if (p->local->round % 2)
            CREATEPORT(port, PORT_OUT, 1, i, N);
        else
            createPort(port, PORT_OUT, 1, i, N);
        DAL_write((void *)port, &x, sizeof(float), p);
    }
    p->local->round++;
    return 0;
}

void scatter_finish(DALProcess *p)
{
    DAL_printf("scatter: %d rounds\n", p->local->round);
}
