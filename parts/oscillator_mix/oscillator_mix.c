/* Multiplies samples by a complex oscillator. The phase is computed for each run of samples, and
 * the oscillator turns within a run, so that no error grows. */
#include "dal.h"

#include <math.h>

enum { RUN = 64 };

static const double two_pi = 6.28318530717958647693;

struct _local_states {
    double turns; /* phase of the next sample, from 0 to 1 */
};

static void mix_run(float *out, const float *in, int count, double turns, double step)
{
    double re = cos(two_pi * turns), im = sin(two_pi * turns);
    double step_re = cos(two_pi * step), step_im = sin(two_pi * step);

    for (int i = 0; i < count; i++) {
        double x = (double)in[i * VAR_channels], next = re * step_re - im * step_im;
        double y = VAR_channels == 2 ? (double)in[i * VAR_channels + VAR_channels - 1] : 0;
        out[2 * i] = (float)(x * re - y * im);
        out[2 * i + 1] = (float)(x * im + y * re);
        im = re * step_im + im * step_re;
        re = next;
    }
}

int Oscillator_fire(DALProcess *p)
{
    const float *in = DAL_READ_TOKENS(float, in, VAR_block *VAR_channels, p);
    float *out = DAL_WRITE_TOKENS(float, out, VAR_block * 2, VAR_block * 2, 0, p);
    double frequency, step;

    if (!in || !out || DAL_getParameterDouble("frequency", &frequency, p))
        return 1;
    step = fmod(frequency, VAR_rate) / VAR_rate; /* no whole turns */
    for (int i = 0; i < VAR_block; i += RUN) {
        int count = VAR_block - i < RUN ? VAR_block - i : RUN;
        mix_run(out + 2 * i, in + VAR_channels * i, count, p->local->turns, step);
        p->local->turns += count * step;
        p->local->turns -= floor(p->local->turns);
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
