/* Source: blocks of samples of a detector, noise with pulses in it. */
#include "dal.h"

#include <stdint.h>

struct _local_states {
    long blocks, sent;
    uint32_t state;
};

static uint32_t next(LocalState s)
{
    s->state = s->state * 1664525u + 1013904223u;
    return s->state >> 16;
}

void Source_init(DALProcess *p)
{
    DAL_getParameterInt("blocks", &p->local->blocks, p);
    p->local->state = 1;
}

/* A pulse is as wide as a peak's neighbourhood. Blocks have 0 to 15 of them, some at one place. */
static void add_pulses(LocalState s, int *out)
{
    static const int shape[] = {1, 3, 7, 9, 6, 2, 1};
    uint32_t pulses = next(s) % 16;

    for (uint32_t i = 0; i < pulses; i++) {
        uint32_t from = next(s) % (VAR_samples - 7);
        int height = 20 + (int)(next(s) % 100);
        for (int k = 0; k < 7; k++)
            out[from + (uint32_t)k] += shape[k] * height;
    }
}

int Source_fire(DALProcess *p)
{
    LocalState s = p->local;
    int *out;

    if (s->sent++ >= s->blocks)
        return 1;
    out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    for (int i = 0; i < VAR_samples; i++)
        out[i] = (int)(next(s) % 64);
    add_pulses(s, out);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
