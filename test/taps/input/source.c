/* Source: numbers in fours. */
#include "wrong.h"

struct _local_states {
    long rows, row;
    struct wrong wrong;
};

void Source_init(DALProcess *p)
{
    DAL_getParameterInt("rows", &p->local->rows, p);
    p->local->wrong.firing = -1;
}

int Source_fire(DALProcess *p)
{
    int four[4];

    if (p->local->row == p->local->rows)
        return 1;
    for (int i = 0; i < 4; i++)
        four[i] = (int)((unsigned)(p->local->row * 4 + i) * 2654435761u >> 12);
    p->local->row++;
    be_wrong(&p->local->wrong, four, p);
    DAL_write(PORT_out, four, sizeof(four), p);
    return 0;
}
