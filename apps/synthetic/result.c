/*
 * Result: takes what Consumer found. Ends the network after `tokens` of them, and tells how long
 * those behind the first `skip` took: by then every kernel is built and every channel is full.
 */
#include "dal.h"
#include "report.h"
#include "work.h"

struct _local_states {
    long tokens, skip, seen;
    uint64_t sum;
    int64_t start;
};

void Result_init(DALProcess *p)
{
    DAL_getParameterInt("tokens", &p->local->tokens, p);
    DAL_getParameterInt("skip", &p->local->skip, p);
    p->local->sum = WORK_SUM_START;
    p->local->start = report_now();
}

int Result_fire(DALProcess *p)
{
    uint32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    LocalState s = p->local;

    s->sum = work_sum(s->sum, *in);
    s->seen++;
    DAL_read_end(PORT_in, in, p);
    if (s->seen == s->skip)
        s->start = report_now();
    return s->seen >= s->tokens;
}

void Result_finish(DALProcess *p)
{
    LocalState s = p->local;

    report((uint64_t)(s->seen - s->skip), report_now() - s->start, s->sum);
}
