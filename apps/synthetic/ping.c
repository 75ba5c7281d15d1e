/* Ping: sends what it has received, and counts. Tells how long `tokens` of them took, the first
 * tenth aside. */
#include "dal.h"
#include "report.h"

#include <string.h>

struct _local_states {
    long tokens, sent;
    int64_t begin;
};

void Ping_init(DALProcess *p)
{
    DAL_getParameterInt("tokens", &p->local->tokens, p);
}

int Ping_fire(DALProcess *p)
{
    unsigned char *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    unsigned char *out =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    memcpy(out, in, TOKEN_in_SIZE);
    DAL_write_end(PORT_out, out, p);
    DAL_read_end(PORT_in, in, p);
    if (p->local->sent++ == p->local->tokens / 10)
        p->local->begin = report_now();
    if (p->local->sent < p->local->tokens)
        return 0;
    report((uint64_t)(p->local->tokens - p->local->tokens / 10), report_now() - p->local->begin, 0);
    return 1;
}
