/*
 * Column: a task in each time step, of its own value and of those of other columns. Its own value
 * comes by a channel, or with KEEPS stays in the process. In the end it tells when it began and
 * ended.
 *
 * A process whose readers have ended ends, too. So a column goes on for REST more tasks that do
 * nothing, more than others can be behind it.
 */
#include "dal.h"
#include "pass.h"
#include "ports.h"
#include "report.h"

struct _local_states {
    long steps, tasks, done;
    int64_t begin;
    uint32_t kept;
};

void Column_init(DALProcess *p)
{
    DAL_getParameterInt("steps", &p->local->steps, p);
    DAL_getParameterInt("tasks", &p->local->tasks, p);
}

int Column_fire(DALProcess *p)
{
    uint32_t value = p->local->kept;

#if !KEEPS
    R(own, ~0u)
#endif
    if (p->local->done++ == 0)
        p->local->begin = report_now();
    value = pattern_begin(value, COLUMN);
    READS
    value = pass_work(value, p->local->done <= p->local->tasks ? p->local->steps : 0);
    WRITES
#if KEEPS
    p->local->kept = value;
#else
    W(next, ~0u)
#endif
    if (p->local->done == p->local->tasks)
        DAL_printf("column %d begin %lld end %lld value %08x\n", COLUMN, (long long)p->local->begin,
                   (long long)report_now(), (unsigned)value);
    return p->local->done >= p->local->tasks + REST;
}
