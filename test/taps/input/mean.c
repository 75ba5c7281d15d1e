/* Mean: of two pairs, and of what it kept. */
#include "wrong.h"

struct _local_states {
    struct wrong wrong;
};

void Mean_init(DALProcess *p)
{
    p->local->wrong.firing = -1;
}

int Mean_fire(DALProcess *p)
{
    float four[4];
    double old;

    DAL_read(PORT_in, four, sizeof(four), p);
    DAL_read(PORT_old, &old, sizeof(old), p);
    old = old / 2 + (four[0] + four[1] + four[2] + four[3]);
    be_wrong(&p->local->wrong, &old, p);
    DAL_write(PORT_kept, &old, sizeof(old), p);
    DAL_write(PORT_out, &old, sizeof(old), p);
    return 0;
}
