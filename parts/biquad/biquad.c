/* Filters samples by a filter of second order, with the formulas of Robert Bristow-Johnson's
 * "Cookbook formulae for audio EQ biquad filter coefficients", in the transposed direct form II. */
#include "dal.h"

#include <math.h>

enum { lowpass, highpass, bandpass, notch, allpass, peak, lowshelf, highshelf };

#define RANGE "at least %g Hz and below half of %g Hz"
/* Of the rate. With less, the rounding of a[1] and a[2] outweighs the frequency. */
#define LEAST 1e-7

static const double pi = 3.14159265358979323846;

struct setting {
    double frequency, q, gain;
};

struct _local_states {
    struct setting setting; /* that the coefficients are of; zeroed: of none */
    double refused;         /* frequency that was asked for last, and is not used; 0: none */
    double b[3], a[3];      /* of the numerator and the denominator, divided by a[0] */
    double past[VAR_channels][2];
};

/* Fills in the coefficients of the shelves; a low one for sign 1, a high one for sign -1. */
static void make_shelf(struct _local_states *s, double sign, double c, double alpha, double gain)
{
    double more = gain + 1, less = gain - 1, slope = 2 * sqrt(gain) * alpha;

    s->b[0] = gain * (more - sign * less * c + slope);
    s->b[1] = sign * 2 * gain * (less - sign * more * c);
    s->b[2] = gain * (more - sign * less * c - slope);
    s->a[0] = more + sign * less * c + slope;
    s->a[1] = -sign * 2 * (less + sign * more * c);
    s->a[2] = more + sign * less * c - slope;
}

/* Fills in those of the other kinds. */
static void make_other(struct _local_states *s, double c, double alpha, double gain)
{
    const double numerators[][3] = {
        [lowpass] = {(1 - c) / 2, 1 - c, (1 - c) / 2},
        [highpass] = {(1 + c) / 2, -1 - c, (1 + c) / 2},
        [bandpass] = {alpha, 0, -alpha},
        [notch] = {1, -2 * c, 1},
        [allpass] = {1 - alpha, -2 * c, 1 + alpha},
        [peak] = {1 + alpha * gain, -2 * c, 1 - alpha * gain},
        [highshelf] = {0},
    };
    double divided = VAR_kind == peak ? alpha / gain : alpha;

    memcpy(s->b, numerators[VAR_kind], sizeof(s->b));
    s->a[0] = 1 + divided;
    s->a[1] = -2 * c;
    s->a[2] = 1 - divided;
}

static void make_coefficients(struct _local_states *s)
{
    double w = 2 * pi * s->setting.frequency / VAR_rate, c = cos(w);
    double alpha = sin(w) / (2 * s->setting.q), gain = pow(10, s->setting.gain / 40);

    if (VAR_kind == lowshelf || VAR_kind == highshelf)
        make_shelf(s, VAR_kind == lowshelf ? 1 : -1, c, alpha, gain);
    else
        make_other(s, c, alpha, gain);
    for (int k = 0; k < 3; k++)
        s->b[k] /= s->a[0];
    for (int k = 2; k >= 0; k--)
        s->a[k] /= s->a[0];
}

/* A frequency that does not suit the rate ends the program at its start. Later the filter stays as
 * it is. Returns whether the program goes on. */
static int refuse_frequency(double frequency, DALProcess *p)
{
    LocalState s = p->local;

    if (s->setting.q <= 0)
        DAL_fail(p, "frequency %g Hz: it must be " RANGE, frequency, LEAST * VAR_rate,
                 (double)VAR_rate);
    else if (frequency != s->refused)
        fprintf(stderr, "biquad: frequency %g Hz is not used: it must be " RANGE "\n", frequency,
                LEAST * VAR_rate, (double)VAR_rate);
    s->refused = frequency;
    return s->setting.q > 0;
}

/* Follows the parameters. Returns whether the program goes on. */
static int follow_parameters(DALProcess *p)
{
    struct setting now, *is = &p->local->setting;

    if (DAL_getParameterDouble("frequency", &now.frequency, p) ||
        DAL_getParameterDouble("q", &now.q, p) || DAL_getParameterDouble("gain", &now.gain, p))
        return 0;
    if (now.frequency >= LEAST * VAR_rate && now.frequency < 0.5 * VAR_rate)
        p->local->refused = 0;
    else if (refuse_frequency(now.frequency, p))
        now.frequency = is->frequency;
    else
        return 0;
    if (now.frequency == is->frequency && now.q == is->q && now.gain == is->gain)
        return 1;
    *is = now;
    make_coefficients(p->local);
    return 1;
}

/* What of a state is kept behind a block. It is nothing where no float shows it: so silence makes
 * no denormal numbers, which are slow. Nor is it kept when it is no number. */
static double settle_state(double state)
{
    return isfinite(state) && fabs(state) > 1e-100 ? state : 0;
}

static void filter(const struct _local_states *s, double past[2], float *out, const float *in)
{
    const double *b = s->b, *a = s->a;
    double first = past[0], second = past[1];

    for (int i = 0; i < VAR_block; i++) {
        double x = (double)in[i * VAR_channels], y = b[0] * x + first;
        first = b[1] * x - a[1] * y + second;
        second = b[2] * x - a[2] * y;
        out[i * VAR_channels] = (float)y;
    }
    past[0] = settle_state(first);
    past[1] = settle_state(second);
}

int Biquad_fire(DALProcess *p)
{
    enum { ALL = VAR_block * VAR_channels };
    const float *in = DAL_READ_TOKENS(float, in, ALL, p);
    float *out = DAL_WRITE_TOKENS(float, out, ALL, ALL, 0, p);

    if (!in || !out || !follow_parameters(p))
        return 1;
    for (int c = 0; c < VAR_channels; c++)
        filter(p->local, p->local->past[c], out + c, in + c);
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
