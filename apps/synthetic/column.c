/* Column: a task in each time step, of its own value and of those of other columns. In the end it
 * tells when it began and ended. */
#include "dal.h"
#include "pass.h"
#include "ports.h"
#include "report.h"

struct _local_states {
    long steps, tasks, done;
    int64_t begin;
};

void Column_init(DALProcess *p)
{
    DAL_getParameterInt("steps", &p->local->steps, p);
    DAL_getParameterInt("tasks", &p->local->tasks, p);
}

int Column_fire(DALProcess *p)
{
    uint32_t *own = DAL_read_begin(PORT_own, TOKEN_own_SIZE, 1, p);
    uint32_t *next = DAL_write_begin(PORT_next, TOKEN_next_SIZE, 1, 1, 0, p);
    uint32_t value = pattern_begin(own[0], COLUMN);

    if (p->local->done++ == 0)
        p->local->begin = report_now();
    READS
    value = pass_work(value, p->local->steps);
    WRITES
    next[0] = value;
    DAL_write_end(PORT_next, next, p);
    DAL_read_end(PORT_own, own, p);
    if (p->local->done < p->local->tasks)
        return 0;
    DAL_printf("column %d begin %lld end %lld value %08x\n", COLUMN, (long long)p->local->begin,
               (long long)report_now(), (unsigned)value);
    return 1;
}
