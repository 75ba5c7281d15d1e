/* Finds how loud each of 32 tones is in a block: the discrete Fourier transform, term by term. */
#include "dal.h"
#include <math.h>

enum { TONES = 32 };

static const double pi = 3.14159265358979323846;

int Spectrum_fire(DALProcess *p)
{
    float in[TOKEN_in_RATE], out[TONES];

    DAL_read(PORT_in, in, sizeof(in), p);
    for (int tone = 0; tone < TONES; tone++) {
        double re = 0, im = 0;
        for (int i = 0; i < TOKEN_in_RATE; i++) {
            double angle = 2 * pi * tone * i / TOKEN_in_RATE;
            re += in[i] * cos(angle);
            im -= in[i] * sin(angle);
        }
        out[tone] = (float)(2 * sqrt(re * re + im * im) / TOKEN_in_RATE);
    }
    DAL_write(PORT_out, out, sizeof(out), p);
    return 0;
}
