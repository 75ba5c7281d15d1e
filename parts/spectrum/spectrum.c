/* Makes of the transform of a frame how strong each frequency is. */
#include "dal.h"

#include <math.h>

enum { amplitude, power, decibel, COUNT = VAR_size / 2 + 1 };
enum { rectangle, hann, hamming, blackman };

/* The mean of a window: what it leaves of a tone. Two samples are too few for the second cosine of
 * blackman. */
static const double means[] = {
    [rectangle] = 1, [hann] = 0.5, [hamming] = 0.54, [blackman] = VAR_size == 2 ? 0.5 : 0.42};

/* A tone is in the frequency above half the rate as well, but for those that have no such. */
static double factor_of(int number)
{
    int is_alone = number == 0 || 2 * number == VAR_size;

    return (is_alone ? 1 : 2) / (VAR_size * means[VAR_kind]);
}

int Measure_fire(DALProcess *p)
{
    const float *in = DAL_READ_TOKENS(float, in, 2 * COUNT, p);
    float *out = DAL_write_begin(PORT_out, COUNT * sizeof(*out), 1, 1, 0, p);

    if (!in || !out)
        return 1;
    for (int i = 0; i < COUNT; i++) {
        double re = (double)in[2 * i], im = (double)in[2 * i + 1], factor = factor_of(i);
        double square = (re * re + im * im) * factor * factor;
        if (VAR_measure == decibel)
            square = square <= 1e-20 ? -200 : 10 * log10(square);
        out[i] = (float)(VAR_measure == amplitude ? sqrt(square) : square);
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
