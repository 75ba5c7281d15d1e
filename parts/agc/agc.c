/* Multiplies samples by a gain that follows from those before. */
#include "dal.h"

#include <math.h>

struct _local_states {
    double gain;
};

void Agc_init(DALProcess *p)
{
    p->local->gain = VAR_most < 1 ? VAR_most : 1;
}

static double follow(double gain, double level, float *out, const float *in)
{
    for (int i = 0; i < VAR_block * VAR_channels; i += VAR_channels) {
        double re = (double)in[i] * gain;
        double im = VAR_channels == 2 ? (double)in[i + VAR_channels - 1] * gain : 0;
        out[i + VAR_channels - 1] = (float)im;
        out[i] = (float)re;
        gain += VAR_speed * (level - sqrt(re * re + im * im));
        gain = gain > 0 ? gain : 0;
        gain = gain < VAR_most ? gain : VAR_most;
    }
    return gain;
}

int Agc_fire(DALProcess *p)
{
    enum { ALL = VAR_block * VAR_channels };
    const float *in = DAL_READ_TOKENS(float, in, ALL, p);
    float *out = DAL_WRITE_TOKENS(float, out, ALL, ALL, 0, p);
    double level;

    if (!in || !out || DAL_getParameterDouble("level", &level, p))
        return 1;
    p->local->gain = follow(p->local->gain, level, out, in);
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
