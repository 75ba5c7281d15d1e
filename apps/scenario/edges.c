/* Edges: how much a sample differs from the one before. */
#include "dal.h"

struct _local_states {
    int32_t last;
};

int Filter_fire(DALProcess *p)
{
    int32_t sample, edge;

    if (DAL_read(PORT_in, &sample, sizeof(sample), p) < 0)
        return 1;
    edge = sample > p->local->last ? sample - p->local->last : p->local->last - sample;
    p->local->last = sample;
    DAL_write(PORT_out, &edge, sizeof(edge), p);
    return 0;
}
