/* Sink: adds up packets, and asks for the next ones. */
#include "dal.h"
#include "report.h"
#include "samples.h"

struct _local_states {
    uint64_t sum, tokens;
    int64_t start;
};

void Sink_init(DALProcess *p)
{
    p->local->start = report_used();
}

int Sink_fire(DALProcess *p)
{
    char credit = 1;
    const uint8_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);

    p->local->sum += samples_sum(in, TOKEN_in_RATE * TOKEN_in_SIZE / 4);
    p->local->tokens += TOKEN_in_RATE;
    DAL_read_end(PORT_in, in, p);
    DAL_WRITE_TOKEN(credit, &credit, p);
    return 0;
}

void Sink_finish(DALProcess *p)
{
    report(p->local->tokens, report_used() - p->local->start, p->local->sum);
}
