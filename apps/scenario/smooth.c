/* Smooth: the mean of the last four samples. */
#include "dal.h"

struct _local_states {
    int32_t last[4];
    unsigned at;
};

int Filter_fire(DALProcess *p)
{
    int32_t *last = p->local->last, mean;

    if (DAL_read(PORT_in, &last[p->local->at++ % 4], sizeof(int32_t), p) < 0)
        return 1;
    mean = (last[0] + last[1] + last[2] + last[3]) / 4;
    DAL_write(PORT_out, &mean, sizeof(mean), p);
    return 0;
}
