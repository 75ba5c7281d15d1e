/* A carrier whose frequency follows the samples, 75 kHz at 1, with noise. */
#include "dal.h"
#include "rds.h"
#include <math.h>

struct _local_states {
    double phase, noise;
    uint32_t chance;
};

void Modulate_init(DALProcess *p)
{
    p->local->chance = 1;
    DAL_getParameterDouble("noise", &p->local->noise, p);
}

/* A number between -noise and noise. */
static float draw_noise(struct _local_states *s)
{
    s->chance = s->chance * 1664525 + 1013904223;
    return (float)(s->noise * ((double)(s->chance >> 8) / (1 << 23) - 1));
}

int Modulate_fire(DALProcess *p)
{
    struct _local_states *s = p->local;
    const float *in = DAL_READ_TOKENS(float, in, SAMPLES_A_BIT, p);
    float *out = DAL_WRITE_TOKENS(float, out, 2 * SAMPLES_A_BIT, 2 * SAMPLES_A_BIT, 0, p);

    for (int i = 0; i < SAMPLES_A_BIT; i++) {
        s->phase = fmod(s->phase + 2 * PI * 75000 / MULTIPLEX_HZ * in[i], 2 * PI);
        out[2 * i] = cosf((float)s->phase) + draw_noise(s);
        out[2 * i + 1] = sinf((float)s->phase) + draw_noise(s);
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
