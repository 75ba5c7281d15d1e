/*
 * Late: takes what comes back of Clock's tokens. Tells how long they were on their way, all
 * together, if each took as long as the median of those behind the first `skip`.
 */
#include "dal.h"
#include "report.h"
#include "work.h"

#include <stdlib.h>

enum { MOST = 1 << 16 };

struct _local_states {
    long skip, seen;
    uint64_t sum;
    int64_t ways[MOST];
};

void Late_init(DALProcess *p)
{
    DAL_getParameterInt("skip", &p->local->skip, p);
    p->local->sum = WORK_SUM_START;
}

int Late_fire(DALProcess *p)
{
    uint32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    int64_t *sent = DAL_read_begin(PORT_sent, TOKEN_sent_SIZE, TOKEN_sent_RATE, p);
    LocalState s = p->local;
    long number = s->seen++ - s->skip;

    s->sum = work_sum(s->sum, *in);
    if (number >= 0 && number < MOST)
        s->ways[number] = report_now() - *sent;
    DAL_read_end(PORT_sent, sent, p);
    DAL_read_end(PORT_in, in, p);
    return 0;
}

static int compare_ways(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

void Late_finish(DALProcess *p)
{
    LocalState s = p->local;
    long count = s->seen > s->skip ? s->seen - s->skip : 0, kept = count < MOST ? count : MOST;

    qsort(s->ways, (size_t)kept, sizeof(s->ways[0]), compare_ways);
    report((uint64_t)count, kept ? count * s->ways[kept / 2] : 0, s->sum);
}
