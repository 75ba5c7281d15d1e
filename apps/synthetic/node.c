/* Node: mixes what it reads, takes STEPS dependent steps and writes the result to all its ports.
 * With KEEPS it also mixes in what it wrote before. */
#include "dal.h"
#include "pass.h"
#include "ports.h"

#if KEEPS
struct _local_states {
    uint32_t kept;
};
#endif

int Node_fire(DALProcess *p)
{
    uint32_t value = 0;

#if KEEPS
    value = p->local->kept;
#endif
    READS
    value = pass_work(value, STEPS);
#if KEEPS
    p->local->kept = value;
#endif
    WRITES
    return 0;
}
