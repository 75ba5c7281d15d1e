/* Clock: numbered tokens, as many as the parameter `tokens` says, and when each was sent. */
#include "dal.h"
#include "report.h"

struct _local_states {
    long tokens, sent;
};

void Clock_init(DALProcess *p)
{
    DAL_getParameterInt("tokens", &p->local->tokens, p);
}

int Clock_fire(DALProcess *p)
{
    uint32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    int64_t *sent =
        DAL_write_begin(PORT_sent, TOKEN_sent_SIZE, TOKEN_sent_RATE, TOKEN_sent_RATE, 0, p);

    *out = (uint32_t)p->local->sent;
    *sent = report_now();
    DAL_write_end(PORT_sent, sent, p);
    DAL_write_end(PORT_out, out, p);
    return ++p->local->sent >= p->local->tokens;
}
