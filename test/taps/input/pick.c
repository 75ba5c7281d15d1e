/* Pick: the odd ones of eight. */
#include "wrong.h"

struct _local_states {
    struct wrong wrong;
};

void Pick_init(DALProcess *p)
{
    p->local->wrong.firing = -1;
}

int Pick_fire(DALProcess *p)
{
    int eight[8];

    DAL_read(PORT_in, eight, sizeof(eight), p);
    be_wrong(&p->local->wrong, &eight[3], p);
    for (int i = 0; i < 8; i++)
        if (eight[i] & 1)
            DAL_write(PORT_out, &eight[i], sizeof(eight[i]), p);
    return 0;
}
