/* Source: a wave with some noise, one sample a firing. After every `turn` samples it asks for a
 * change of scenario; what comes of it is the state machine's business. */
#define _DEFAULT_SOURCE
#include "dal.h"
#include <unistd.h>

struct _local_states {
    int32_t count;
    long samples; /* to send */
    long turn;
    long pace; /* microseconds between two samples */
};

void Source_init(DALProcess *p)
{
    DAL_getParameterInt("samples", &p->local->samples, p);
    DAL_getParameterInt("turn", &p->local->turn, p);
    DAL_getParameterInt("pace", &p->local->pace, p);
}

int Source_fire(DALProcess *p)
{
    int32_t n = p->local->count++, wave = n % 24 < 12 ? n % 24 : 24 - n % 24;
    int32_t sample = 4 * wave + n * 37 % 11;

    DAL_write(PORT_out, &sample, sizeof(sample), p);
    if (p->local->turn > 0 && p->local->count % p->local->turn == 0)
        DAL_send_event("turn", p);
    if (p->local->pace > 0)
        usleep((useconds_t)p->local->pace);
    return p->local->count >= p->local->samples;
}
