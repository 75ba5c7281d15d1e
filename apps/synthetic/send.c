/*
 * Send: numbered tokens, as many as the parameter `tokens` says. Only the first word is written, so
 * that the channel is what takes time. With the parameter `pause`, it does nothing for so many
 * milliseconds before the last token, and tells the processor time that its program took meanwhile.
 */
#include "dal.h"
#include "report.h"

struct _local_states {
    long tokens, sent, pause;
};

void Send_init(DALProcess *p)
{
    DAL_getParameterInt("tokens", &p->local->tokens, p);
    DAL_getParameterInt("pause", &p->local->pause, p);
}

static void do_nothing(long milliseconds)
{
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    int64_t begin = report_now(), used;

    used = report_used();
    nanosleep(&time, NULL);
    DAL_printf("used %lld ns of %lld\n", (long long)(report_used() - used),
               (long long)(report_now() - begin));
}

int Send_fire(DALProcess *p)
{
    uint32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    *out = (uint32_t)p->local->sent;
    DAL_write_end(PORT_out, out, p);
    if (++p->local->sent + 1 == p->local->tokens && p->local->pause)
        do_nothing(p->local->pause);
    return p->local->sent >= p->local->tokens;
}
