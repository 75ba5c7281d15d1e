/* Receive: sums up the first and the last words of tokens, and tells the time from the first token
 * to the last, which the parameter `tokens` knows. */
#include "dal.h"
#include "pass.h"
#include "report.h"

struct _local_states {
    uint64_t sum;
    long received, tokens;
    int64_t begin, end;
};

void Receive_init(DALProcess *p)
{
    DAL_getParameterInt("tokens", &p->local->tokens, p);
}

int Receive_fire(DALProcess *p)
{
    unsigned char *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);

    if (p->local->received == 0)
        p->local->begin = report_now();
    p->local->sum += pass_sink(in, TOKEN_in_SIZE);
    DAL_read_end(PORT_in, in, p);
    if (++p->local->received == p->local->tokens)
        p->local->end = report_now();
    return 0;
}

void Receive_finish(DALProcess *p)
{
    report((uint64_t)p->local->received, p->local->end - p->local->begin, p->local->sum);
}
