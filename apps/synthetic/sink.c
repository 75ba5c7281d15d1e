/* Sink: sums tokens up, and tells the time from the first one to the last. */
#include "dal.h"
#include "pass.h"
#include "report.h"

struct _local_states {
    uint64_t sum, tokens;
    int64_t start;
};

void Sink_init(DALProcess *p)
{
    p->local->start = report_now();
}

int Sink_fire(DALProcess *p)
{
    unsigned char *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);

    p->local->sum += pass_sink(in, TOKEN_in_SIZE);
    p->local->tokens++;
    DAL_read_end(PORT_in, in, p);
    return 0;
}

void Sink_finish(DALProcess *p)
{
    report(p->local->tokens, report_now() - p->local->start, p->local->sum);
}
