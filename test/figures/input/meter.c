#include "dal.h"

struct _local_states {
    long sum, samples;
};

int Meter_fire(DALProcess *p)
{
    int sample;

    DAL_read((void *)PORT_sample, &sample, sizeof(sample), p);
    p->local->sum += sample;
    p->local->samples++;
    return 0;
}

void Meter_finish(DALProcess *p)
{
    DAL_printf("%ld samples, sum %ld\n", p->local->samples, p->local->sum);
}
