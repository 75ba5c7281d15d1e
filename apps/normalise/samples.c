/* Samples: frames of noise about a level that rises from frame to frame. */
#include "dal.h"

#include <stdint.h>

struct _local_states {
    long frames, sent;
    uint32_t state;
};

void Samples_init(DALProcess *p)
{
    DAL_getParameterInt("frames", &p->local->frames, p);
    p->local->state = 1;
}

int Samples_fire(DALProcess *p)
{
    float *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    LocalState s = p->local;

    if (s->sent >= s->frames)
        return 1;
    for (int i = 0; i < VAR_samples; i++) {
        s->state = s->state * 1664525u + 1013904223u;
        out[i] = (float)s->sent / 7 + (float)(s->state >> 8) / 16777216;
    }
    s->sent++;
    DAL_write_end(PORT_out, out, p);
    return 0;
}
