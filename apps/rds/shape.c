/* What a station sends beside its sound: the pilot at 19 kHz, and the bits at 57 kHz. A bit is a
 * wave up and down that is rounded as the standard has it, and reaches into the bits beside it. */
#include "dal.h"
#include "rds.h"
#include <math.h>

enum { REACH = 4 }; /* bits that are in each sample */

struct _local_states {
    float wave[REACH * SAMPLES_A_BIT];
    float bits[REACH]; /* the newest first: 1, or -1 */
};

/* The pulse, at a time in bits. */
static double pulse_at(double time)
{
    double below = 1 - 64 * time * time;

    return fabs(below) < 1e-9 ? PI / 4 : cos(4 * PI * time) / below;
}

void Shape_init(DALProcess *p)
{
    for (int i = 0; i < REACH * SAMPLES_A_BIT; i++) {
        double time = (i + 0.5) / SAMPLES_A_BIT - REACH / 2;
        p->local->wave[i] = (float)(pulse_at(time + 0.25) - pulse_at(time - 0.25));
    }
}

int Shape_fire(DALProcess *p)
{
    struct _local_states *s = p->local;
    float *out = DAL_WRITE_TOKENS(float, out, SAMPLES_A_BIT, SAMPLES_A_BIT, 0, p);
    unsigned char bit;

    DAL_READ_TOKEN(in, &bit, p);
    for (int i = REACH - 1; i > 0; i--)
        s->bits[i] = s->bits[i - 1];
    s->bits[0] = bit ? 1 : -1;
    for (int i = 0; i < SAMPLES_A_BIT; i++) {
        float wave = 0;
        for (int k = 0; k < REACH; k++)
            wave += s->bits[k] * s->wave[k * SAMPLES_A_BIT + i];
        out[i] =
            0.04f * wave * cosf((float)(2 * PI / 4 * i)) + 0.09f * cosf((float)(2 * PI / 12 * i));
    }
    DAL_write_end(PORT_out, out, p);
    return 0;
}
