/* Total: adds up the heat of all strips, step by step. At the end it prints the steps, the heat,
 * which no step may have changed, and a checksum over what each strip had in each step. */
#include "dal.h"

#include <stdint.h>

struct _local_states {
    uint64_t steps, first, changed, checksum;
};

int Total_fire(DALProcess *p)
{
    uint64_t heat, all = 0;
    int i;

    for (i = 0; i < VAR_strips; i++) {
        CREATEPORTVAR(port);
        CREATEPORT(port, "heat", 1, i, VAR_strips);
        DAL_read(port, &heat, sizeof(heat), p);
        all += heat;
        p->local->checksum = (p->local->checksum ^ heat) * 0x100000001b3u;
    }
    if (p->local->steps++ == 0)
        p->local->first = all;
    p->local->changed += all != p->local->first;
    return 0;
}

void Total_finish(DALProcess *p)
{
    DAL_printf("steps %llu heat %llu changed %llu checksum %016llx\n",
               (unsigned long long)p->local->steps - 1, (unsigned long long)p->local->first,
               (unsigned long long)p->local->changed, (unsigned long long)p->local->checksum);
}
