/* Sink: prints a sum of all bits, of the means first and then of the packs. */
#include "dal.h"

#include <inttypes.h>

struct _local_states {
    uint64_t sum;
};

int Sink_fire(DALProcess *p)
{
    uint64_t word;

    if (!DAL_at_end(PORT_means, p))
        DAL_read(PORT_means, &word, sizeof(word), p);
    else if (!DAL_at_end(PORT_packs, p))
        DAL_read(PORT_packs, &word, sizeof(word), p);
    else
        return 1;
    p->local->sum = (p->local->sum ^ word) * UINT64_C(0x100000001b3);
    return 0;
}

void Sink_finish(DALProcess *p)
{
    DAL_printf("%016" PRIx64 "\n", p->local->sum);
}
