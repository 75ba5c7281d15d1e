/* Producer: sends 1, 2, 3, .. in pairs. */
#include "dal.h"

struct _local_states {
    int32_t last; /* number sent */
    long pairs;   /* still to send */
};

void Producer_init(DALProcess *p)
{
    DAL_getParameterInt("pairs", &p->local->pairs, p);
}

int Producer_fire(DALProcess *p)
{
    int32_t pair[2];

    if (p->local->pairs <= 0)
        return 1; /* the end: what was sent still reaches Consumer */
    p->local->pairs--;
    pair[0] = ++p->local->last;
    pair[1] = ++p->local->last;
    DAL_write(PORT_numbers, pair, sizeof(pair), p);
    return 0;
}
