/* How far the phase turns from one complex sample to the next is what a station of FM sends. Then
 * the treble, which stations raise by 50 us, is lowered again. */
#include "dal.h"
#include <math.h>

enum { SAMPLES = TOKEN_out_RATE };

struct _local_states {
    float real, imaginary, level;
};

int Discriminate_fire(DALProcess *p)
{
    const float turn = 240000.0f / (2 * 3.14159265f * 75000); /* 75 kHz are 1 */
    const float ease = 1 - expf(-1 / (240000.0f * 50e-6f));
    struct _local_states *s = p->local;
    const float *in = DAL_READ_TOKENS(float, in, 2 * SAMPLES, p);
    float *out = DAL_WRITE_TOKENS(float, out, SAMPLES, SAMPLES, 0, p);

    for (int i = 0; i < SAMPLES; i++) {
        float a = in[2 * i], b = in[2 * i + 1];
        float angle = atan2f(b * s->real - a * s->imaginary, a * s->real + b * s->imaginary);
        s->level += ease * (turn * angle - s->level);
        s->real = a;
        s->imaginary = b;
        out[i] = s->level;
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
