/* Pack: two numbers as one token of 8 bytes, at any pace. */
#include "wrong.h"

struct _local_states {
    struct wrong wrong;
};

void Pack_init(DALProcess *p)
{
    p->local->wrong.firing = -1;
}

int Pack_fire(DALProcess *p)
{
    int two[2];

    DAL_read(PORT_in, &two[0], sizeof(two[0]), p);
    DAL_read(PORT_in, &two[1], sizeof(two[1]), p);
    be_wrong(&p->local->wrong, &two[1], p);
    DAL_write(PORT_out, two, sizeof(two), p);
    return 0;
}
