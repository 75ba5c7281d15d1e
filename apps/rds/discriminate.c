/* How far the phase turns from one complex sample to the next is what the station sends. */
#include "dal.h"
#include "rds.h"
#include <math.h>

struct _local_states {
    float real, imaginary;
};

int Discriminate_fire(DALProcess *p)
{
    const float turn = (float)(MULTIPLEX_HZ / (2 * PI * 75000));
    struct _local_states *s = p->local;
    const float *in = DAL_READ_TOKENS(float, in, 2 * SAMPLES_A_BIT, p);
    float *out = DAL_WRITE_TOKENS(float, out, SAMPLES_A_BIT, SAMPLES_A_BIT, 0, p);

    for (int i = 0; i < SAMPLES_A_BIT; i++) {
        float a = in[2 * i], b = in[2 * i + 1];
        out[i] = turn * atan2f(b * s->real - a * s->imaginary, a * s->real + b * s->imaginary);
        s->real = a;
        s->imaginary = b;
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
