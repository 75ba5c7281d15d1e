/* Goes down as deep as it is told: so many frames of 1 KB, in init or in fire, or in one frame of
 * 300 KB more. */
#include "dal.h"

struct _local_states {
    long frames, where;
};

static int depth(const volatile char *from, int n)
{
    volatile char here[1024];
    here[0] = from[0];
    return n ? depth(here, n - 1) + here[0] : 0;
}

static int wide(int n)
{
    volatile char here[300000];
    here[0] = (char)n;
    return depth(here, n) + here[0];
}

void deep_init(DALProcess *p)
{
    volatile char c = 0;
    DAL_getParameterInt("frames", &p->local->frames, p);
    DAL_getParameterInt("where", &p->local->where, p);
    if (p->local->where == 0)
        depth(&c, (int)p->local->frames);
}

int deep_fire(DALProcess *p)
{
    int x;
    volatile char c = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    if (p->local->where == 1)
        x += depth(&c, (int)p->local->frames);
    if (p->local->where == 2)
        x += wide((int)p->local->frames) & 0;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}

void deep_finish(DALProcess *p)
{
    volatile char c = 0;
    if (p->local->where == 3)
        depth(&c, (int)p->local->frames);
    if (p->local->where == 4)
        *(volatile int *)8 = 1;
}
